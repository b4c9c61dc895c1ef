CREATE TABLE "api_tokens" (
    "id" BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    "account_kind" VARCHAR(32) NOT NULL,
    "account_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "secret" VARCHAR(255) NOT NULL,
    "abilities" TEXT NOT NULL,
    "last_used_at" DATETIME(6),
    "expires_at" DATETIME(6),
    "created_at" DATETIME(6) NOT NULL
);

CREATE UNIQUE INDEX "api_tokens_secret_unique" ON "api_tokens" ("secret");

CREATE INDEX "api_tokens_account_index" ON "api_tokens" ("account_kind", "account_id");
