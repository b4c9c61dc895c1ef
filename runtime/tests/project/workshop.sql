CREATE TABLE "parts" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "code" TEXT,
    "price" INTEGER NOT NULL,
    "secret" TEXT,
    "assignee_id" INTEGER,
    "deleted" INTEGER NOT NULL
);

CREATE TABLE "labels" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);

INSERT INTO "labels" VALUES (1, 'odd'), (2, 'two'), (4, 'four'), (6, 'six');

CREATE TABLE "part_labels" (
    "part_id" INTEGER NOT NULL REFERENCES "parts" ("id"),
    "label_id" INTEGER NOT NULL REFERENCES "labels" ("id")
);

CREATE TABLE "audits" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "entry" TEXT NOT NULL);
