CREATE TABLE "places" ("id" COUNTED_KEY, "name" TEXT NOT NULL);

CREATE TABLE "rooms" (
    "id" COUNTED_KEY,
    "name" TEXT NOT NULL,
    "place_id" INTEGER REFERENCES "places" ("id")
);

CREATE TABLE "shows" (
    "id" COUNTED_KEY,
    "name" TEXT NOT NULL,
    "room_id" INTEGER REFERENCES "rooms" ("id")
);

CREATE TABLE "placeables" (
    "placeable_type" TEXT_KEY NOT NULL,
    "placeable_id" INTEGER NOT NULL,
    "place_id" INTEGER NOT NULL REFERENCES "places" ("id"),
    PRIMARY KEY ("placeable_type", "placeable_id", "place_id")
);

CREATE TABLE "letters" (
    "id" COUNTED_KEY,
    "customer_id" INTEGER,
    "title" TEXT NOT NULL,
    "pin" TEXT,
    "reply_to_id" INTEGER REFERENCES "letters" ("id"),
    "about_type" TEXT,
    "about_id" INTEGER
);

CREATE TABLE "copies" (
    "letter_id" INTEGER NOT NULL REFERENCES "letters" ("id"),
    "copy_id" INTEGER NOT NULL REFERENCES "letters" ("id"),
    PRIMARY KEY ("letter_id", "copy_id")
);
