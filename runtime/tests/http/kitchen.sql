CREATE TABLE "dishes" (
    "dish_id" COUNTED_KEY,
    "title" TEXT NOT NULL,
    "slug" TEXT_KEY UNIQUE,
    "price" DECIMAL(15, 4) NOT NULL,
    "portions" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL,
    "served_from" TIME,
    "secret" TEXT,
    "created_at" DATETIME,
    "updated_at" DATETIME
);

CREATE TABLE "tags" (
    "tag_id" COUNTED_KEY,
    "name" TEXT NOT NULL
);

CREATE TABLE "dish_tags" (
    "dish_id" INTEGER NOT NULL REFERENCES "dishes" ("dish_id"),
    "tag_id" INTEGER NOT NULL REFERENCES "tags" ("tag_id"),
    PRIMARY KEY ("dish_id", "tag_id")
);

CREATE TABLE "notes" (
    "note_id" COUNTED_KEY,
    "dish_id" INTEGER NOT NULL REFERENCES "dishes" ("dish_id"),
    "customer_id" INTEGER,
    "text" TEXT NOT NULL
);
