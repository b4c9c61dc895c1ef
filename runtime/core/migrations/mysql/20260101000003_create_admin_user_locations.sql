CREATE TABLE "admin_user_locations" (
    "user_id" BIGINT NOT NULL,
    "location_id" BIGINT NOT NULL,
    PRIMARY KEY ("user_id", "location_id"),
    FOREIGN KEY ("user_id") REFERENCES "admin_users" ("user_id") ON DELETE CASCADE
);
