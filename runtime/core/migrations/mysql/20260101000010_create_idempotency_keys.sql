CREATE TABLE "idempotency_keys" (
    "caller" VARCHAR(255) NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "fingerprint" VARCHAR(255) NOT NULL,
    "status" BIGINT,
    "headers" LONGTEXT,
    "body" LONGTEXT,
    "created_at" DATETIME(6) NOT NULL,
    PRIMARY KEY ("caller", "key")
);

CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" ("created_at");
