CREATE TABLE "admin_users" (
    "user_id" BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    "username" VARCHAR(255) NOT NULL,
    "name" TEXT NOT NULL,
    "email" VARCHAR(255) NOT NULL,
    "telephone" TEXT,
    "password" TEXT,
    "is_activated" BOOLEAN NOT NULL DEFAULT TRUE,
    "super_user" BOOLEAN NOT NULL DEFAULT FALSE,
    "permissions" JSON,
    "last_login" DATETIME(6),
    "created_at" DATETIME(6),
    "updated_at" DATETIME(6),
    "username_lower" VARCHAR(255) AS (lower("username")) VIRTUAL,
    "email_lower" VARCHAR(255) AS (lower("email")) VIRTUAL
);

CREATE UNIQUE INDEX "admin_users_username_unique" ON "admin_users" ("username_lower");

CREATE UNIQUE INDEX "admin_users_email_unique" ON "admin_users" ("email_lower");
