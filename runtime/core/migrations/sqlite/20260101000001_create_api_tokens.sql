CREATE TABLE "api_tokens" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "account_kind" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "abilities" TEXT NOT NULL,
    "last_used_at" TEXT,
    "expires_at" TEXT,
    "created_at" TEXT NOT NULL
);

CREATE UNIQUE INDEX "api_tokens_secret_unique" ON "api_tokens" ("secret");

CREATE INDEX "api_tokens_account_index" ON "api_tokens" ("account_kind", "account_id");
