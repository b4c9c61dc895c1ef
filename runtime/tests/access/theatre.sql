CREATE TABLE "halls" ("id" COUNTED_KEY, "name" TEXT NOT NULL);
CREATE TABLE "seats" ("id" COUNTED_KEY, "hall_id" INTEGER NOT NULL);
CREATE TABLE "plays" ("id" COUNTED_KEY, "hall_id" INTEGER NOT NULL);
CREATE TABLE "scripts" ("id" COUNTED_KEY, "hall_id" INTEGER NOT NULL);
CREATE TABLE "patrons" (
    "id" COUNTED_KEY,
    "name" TEXT NOT NULL,
    "rank" INTEGER NOT NULL
);
INSERT INTO "halls" ("name") VALUES ('Great');
INSERT INTO "seats" ("hall_id") VALUES (1), (1);
INSERT INTO "plays" ("hall_id") VALUES (1);
INSERT INTO "scripts" ("hall_id") VALUES (1);
