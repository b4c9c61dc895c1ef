CREATE TABLE "api_identities" (
    "issuer" VARCHAR(255) NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "account_kind" VARCHAR(32) NOT NULL,
    "account_id" BIGINT NOT NULL,
    "created_at" DATETIME(6) NOT NULL,
    PRIMARY KEY ("issuer", "subject", "account_kind")
);
