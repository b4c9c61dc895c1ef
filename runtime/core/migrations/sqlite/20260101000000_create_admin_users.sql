CREATE TABLE "admin_users" (
    "user_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "username" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "telephone" TEXT,
    "password" TEXT,
    "is_activated" INTEGER NOT NULL DEFAULT 1,
    "super_user" INTEGER NOT NULL DEFAULT 0,
    "permissions" TEXT,
    "last_login" TEXT,
    "created_at" TEXT,
    "updated_at" TEXT
);

CREATE UNIQUE INDEX "admin_users_username_unique" ON "admin_users" (lower("username"));

CREATE UNIQUE INDEX "admin_users_email_unique" ON "admin_users" (lower("email"));
