CREATE TABLE "shelves" (
    "shelf_id" COUNTED_KEY,
    "name" TEXT NOT NULL
);

CREATE TABLE "books" (
    "id" COUNTED_KEY,
    "title" TEXT NOT NULL,
    "price" DECIMAL(15, 2) NOT NULL,
    "shelf_id" INTEGER REFERENCES "shelves" ("shelf_id"),
    "supplier" TEXT,
    "created_at" DATETIME,
    "updated_at" DATETIME
);

CREATE TABLE "members" (
    "id" COUNTED_KEY,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT_KEY NOT NULL UNIQUE,
    "password" TEXT,
    "status" BOOLEAN NOT NULL
);

CREATE TABLE "loans" (
    "id" COUNTED_KEY,
    "book_id" INTEGER NOT NULL REFERENCES "books" ("id"),
    "member_id" INTEGER NOT NULL REFERENCES "members" ("id")
);
