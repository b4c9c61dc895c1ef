CREATE TABLE "things" (
    "thing_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT NOT NULL,
    "floor" INTEGER NOT NULL,
    "visits" INTEGER NOT NULL,
    "weight" REAL,
    "price" INTEGER NOT NULL,
    "native" NUMERIC,
    "open" INTEGER NOT NULL,
    "made_on" TEXT,
    "shown_at" TEXT,
    "found_at" TEXT,
    "code" TEXT,
    "extra" TEXT,
    "state" TEXT NOT NULL,
    "height" INTEGER
);
