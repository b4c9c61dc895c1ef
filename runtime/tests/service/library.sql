CREATE TABLE "shelves" (
    "shelf_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL
);

CREATE TABLE "books" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT NOT NULL,
    "price" INTEGER NOT NULL,
    "shelf_id" INTEGER REFERENCES "shelves" ("shelf_id"),
    "supplier" TEXT,
    "created_at" TEXT,
    "updated_at" TEXT
);

CREATE TABLE "members" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT NOT NULL UNIQUE,
    "password" TEXT,
    "status" INTEGER NOT NULL
);

CREATE TABLE "loans" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "book_id" INTEGER NOT NULL REFERENCES "books" ("id"),
    "member_id" INTEGER NOT NULL REFERENCES "members" ("id")
);
