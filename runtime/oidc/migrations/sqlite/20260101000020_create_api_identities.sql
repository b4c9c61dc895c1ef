CREATE TABLE "api_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_kind" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "created_at" TEXT NOT NULL,
    PRIMARY KEY ("issuer", "subject", "account_kind")
);
