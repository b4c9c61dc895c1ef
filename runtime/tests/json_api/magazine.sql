CREATE TABLE "people" (
    "person_id" COUNTED_KEY,
    "name" TEXT NOT NULL
);

CREATE TABLE "articles" (
    "article_id" COUNTED_KEY,
    "title" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "author_id" INTEGER REFERENCES "people" ("person_id"),
    "editor_id" INTEGER REFERENCES "people" ("person_id"),
    "section" TEXT,
    "rank" INTEGER NOT NULL,
    "secret" TEXT
);

CREATE TABLE "sections" (
    "section_id" COUNTED_KEY,
    "code" TEXT_KEY NOT NULL UNIQUE
);

CREATE TABLE "labels" (
    "label_id" TEXT_KEY PRIMARY KEY,
    "type" TEXT NOT NULL
);

CREATE TABLE "article_labels" (
    "article_id" INTEGER NOT NULL REFERENCES "articles" ("article_id"),
    "label_id" TEXT_KEY NOT NULL REFERENCES "labels" ("label_id"),
    PRIMARY KEY ("article_id", "label_id")
);

CREATE TABLE "comments" (
    "comment_id" COUNTED_KEY,
    "text" TEXT NOT NULL,
    "subject_type" TEXT,
    "subject_id" INTEGER,
    "author_id" INTEGER NOT NULL REFERENCES "people" ("person_id")
);
