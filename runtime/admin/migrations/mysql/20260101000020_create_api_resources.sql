CREATE TABLE "api_resources" (
    "id" BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    "name" TEXT NOT NULL,
    "endpoint" VARCHAR(255) NOT NULL,
    "description" TEXT,
    "meta" LONGTEXT,
    "is_custom" BOOLEAN NOT NULL DEFAULT FALSE,
    "created_at" DATETIME(6),
    "updated_at" DATETIME(6)
);

CREATE UNIQUE INDEX "api_resources_endpoint_unique" ON "api_resources" ("endpoint");
