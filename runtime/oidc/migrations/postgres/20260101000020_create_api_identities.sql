CREATE TABLE "api_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_kind" TEXT NOT NULL,
    "account_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL,
    PRIMARY KEY ("issuer", "subject", "account_kind")
);
