CREATE TABLE "parts" (
    "id" COUNTED_KEY,
    "name" TEXT NOT NULL,
    "code" TEXT,
    "price" DECIMAL(15, 2) NOT NULL,
    "secret" TEXT,
    "assignee_id" INTEGER,
    "deleted" BOOLEAN NOT NULL,
    "updated_at" DATETIME
);

CREATE TABLE "labels" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);

INSERT INTO "labels" VALUES (1, 'odd'), (2, 'two'), (4, 'four'), (6, 'six');

CREATE TABLE "part_labels" (
    "part_id" INTEGER NOT NULL REFERENCES "parts" ("id"),
    "label_id" INTEGER NOT NULL REFERENCES "labels" ("id")
);

CREATE TABLE "part_notes" ("part_id" INTEGER NOT NULL, "note" TEXT NOT NULL);

CREATE TABLE "audits" ("id" COUNTED_KEY, "entry" TEXT NOT NULL);
