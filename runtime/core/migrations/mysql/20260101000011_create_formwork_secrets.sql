CREATE TABLE "formwork_secrets" (
    "name" VARCHAR(255) NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

INSERT INTO "formwork_secrets" ("name", "value") VALUES ('entity_tags', lower(hex(random_bytes(16))));
