CREATE TABLE "guest_menus" (
    "guest_id" UUID NOT NULL REFERENCES "guests" ("id"),
    "menu_id" BIGINT NOT NULL REFERENCES "menus" ("id"),
    PRIMARY KEY ("guest_id", "menu_id")
);

CREATE INDEX "guest_menus_menu_id_index" ON "guest_menus" ("menu_id");
