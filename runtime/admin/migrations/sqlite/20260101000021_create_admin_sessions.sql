CREATE TABLE "admin_sessions" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "user_id" INTEGER NOT NULL REFERENCES "admin_users" ("user_id") ON DELETE CASCADE,
    "secret" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" TEXT NOT NULL,
    "used_at" TEXT NOT NULL
);

CREATE UNIQUE INDEX "admin_sessions_secret_unique" ON "admin_sessions" ("secret");

CREATE INDEX "admin_sessions_user_id_index" ON "admin_sessions" ("user_id");
