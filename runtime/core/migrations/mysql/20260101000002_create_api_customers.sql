CREATE TABLE "api_customers" (
    "id" BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    "name" TEXT,
    "email" VARCHAR(255) NOT NULL,
    "password" TEXT,
    "is_activated" BOOLEAN NOT NULL DEFAULT TRUE,
    "last_login" DATETIME(6),
    "created_at" DATETIME(6),
    "updated_at" DATETIME(6),
    "email_lower" VARCHAR(255) AS (lower("email")) VIRTUAL
);

CREATE UNIQUE INDEX "api_customers_email_unique" ON "api_customers" ("email_lower");
