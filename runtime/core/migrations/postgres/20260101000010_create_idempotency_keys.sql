CREATE TABLE "idempotency_keys" (
    "caller" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" BIGINT,
    "headers" TEXT,
    "body" TEXT,
    "created_at" TIMESTAMPTZ NOT NULL,
    PRIMARY KEY ("caller", "key")
);

CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" ("created_at");
