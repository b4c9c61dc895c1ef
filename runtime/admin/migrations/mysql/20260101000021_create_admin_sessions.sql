CREATE TABLE "admin_sessions" (
    "id" BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    "user_id" BIGINT NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" DATETIME(6) NOT NULL,
    "used_at" DATETIME(6) NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "admin_users" ("user_id") ON DELETE CASCADE
);

CREATE UNIQUE INDEX "admin_sessions_secret_unique" ON "admin_sessions" ("secret");

CREATE INDEX "admin_sessions_user_id_index" ON "admin_sessions" ("user_id");
