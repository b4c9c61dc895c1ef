CREATE TABLE "dishes" (
    "dish_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT NOT NULL,
    "slug" TEXT UNIQUE,
    "price" INTEGER NOT NULL,
    "portions" INTEGER NOT NULL,
    "active" INTEGER NOT NULL,
    "served_from" TEXT,
    "secret" TEXT,
    "created_at" TEXT,
    "updated_at" TEXT
);

CREATE TABLE "tags" (
    "tag_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL
);

CREATE TABLE "dish_tags" (
    "dish_id" INTEGER NOT NULL REFERENCES "dishes" ("dish_id"),
    "tag_id" INTEGER NOT NULL REFERENCES "tags" ("tag_id"),
    PRIMARY KEY ("dish_id", "tag_id")
);

CREATE TABLE "notes" (
    "note_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "dish_id" INTEGER NOT NULL REFERENCES "dishes" ("dish_id"),
    "customer_id" INTEGER,
    "text" TEXT NOT NULL
);
