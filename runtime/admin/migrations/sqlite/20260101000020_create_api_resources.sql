CREATE TABLE "api_resources" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "description" TEXT,
    "meta" TEXT CHECK ("meta" IS NULL OR typeof("meta") = 'text'),
    "is_custom" INTEGER NOT NULL DEFAULT 0,
    "created_at" TEXT,
    "updated_at" TEXT
);

CREATE UNIQUE INDEX "api_resources_endpoint_unique" ON "api_resources" ("endpoint");
