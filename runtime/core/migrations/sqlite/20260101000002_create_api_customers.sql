CREATE TABLE "api_customers" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT,
    "email" TEXT NOT NULL,
    "password" TEXT,
    "is_activated" INTEGER NOT NULL DEFAULT 1,
    "last_login" TEXT,
    "created_at" TEXT,
    "updated_at" TEXT
);

CREATE UNIQUE INDEX "api_customers_email_unique" ON "api_customers" (lower("email"));
