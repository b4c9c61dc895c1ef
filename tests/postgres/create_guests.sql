CREATE TABLE "guests" (
    "id" UUID PRIMARY KEY,
    "name" TEXT NOT NULL
);
