CREATE TABLE "things" (
    "thing_id" COUNTED_KEY,
    "title" TEXT NOT NULL,
    "floor" INTEGER NOT NULL,
    "visits" INTEGER NOT NULL,
    "weight" REAL,
    "price" DECIMAL(18, 2) NOT NULL,
    "native" NUMERIC(18, 3),
    "open" BOOLEAN NOT NULL,
    "made_on" DATE,
    "shown_at" TIME,
    "found_at" DATETIME,
    "code" UUID,
    "extra" JSON,
    "state" TEXT NOT NULL,
    "height" DECIMAL(18, 2)
);
