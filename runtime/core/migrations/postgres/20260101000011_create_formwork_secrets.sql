CREATE TABLE "formwork_secrets" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

INSERT INTO "formwork_secrets" ("name", "value") VALUES ('entity_tags', replace(gen_random_uuid()::text, '-', ''));
