use super::*;

#[test]
fn a_resource_has_all_its_names() {
    let names = names("menu_item_options", None);
    assert_eq!(names.controller, "MenuItemOptions");
    assert_eq!(names.model, "MenuItemOption");
    assert_eq!(names.repository, "MenuItemOptionRepository");
    assert_eq!(names.variable, "menu_item_option");
    assert_eq!(names.singular_words, "menu item option");
}

#[test]
fn equal_singular_and_plural_give_the_controller_a_suffix() {
    assert_eq!(names("series", None).controller, "SeriesController");
    assert_eq!(names("news", None).model, "News");
    assert_eq!(names("media", None).controller, "Media");
    assert_eq!(names("media", None).model, "Medium");
    assert_eq!(
        names("dishes", Some("Dishes")).controller,
        "DishesController"
    );
}

#[test]
fn the_prelude_is_not_hidden() {
    let options = names("options", None);
    assert_eq!(options.model, "OptionRecord");
    assert_eq!(options.controller, "Options");
    assert_eq!(options.repository, "OptionRepository");
    assert_eq!(names("columns", None).controller, "ColumnsController");
    assert_eq!(names("requests", None).variable, "request_record");
    for key in [
        "results",
        "contexts",
        "responses",
        "strings",
        "boxes",
        "times",
        "values",
    ] {
        let names = names(key, None);
        assert!(names.model.ends_with("Record"), "{key}: {}", names.model);
    }
}

#[test]
fn types_of_a_resource_hide_neither_the_prelude_nor_each_other() {
    assert_eq!(names("resources", None).request, "ResourceRequestType");
    assert_eq!(names("rest", None).controller, "RestControllerType");
    assert_eq!(names("filter_values", None).model, "FilterValueRecord");
    let both = names("dish_request", Some("Dish"));
    assert_eq!(
        (both.request.as_str(), both.controller.as_str()),
        ("DishRequest", "DishRequestController")
    );
    // A name that hides no name beside it stays as it is.
    assert_eq!(names("accounts", None).model, "Account");
    assert_eq!(names("migrations", None).model, "Migration");
    assert_eq!(names("links", None).controller, "Links");
    assert_eq!(
        extension("migration").unwrap().type_name,
        "MigrationExtension"
    );
    assert!(extension("default").is_err(), "a module of the prelude");
    assert!(extension("team.default").is_ok());
}

#[test]
fn keywords_are_made_legal() {
    assert_eq!(field("type"), "r#type");
    assert_eq!(field("self"), "self_");
    assert_eq!(field("2fa_code"), "_2fa_code");
    assert_eq!(field("orderType"), "order_type");
    assert_eq!(names("type", None).module, "type_");
    assert_eq!(names("formwork", None).module, "formwork_");
    assert_eq!(names("types", None).variable, "type_record");
}

#[test]
fn words_of_the_command_line_name_one_resource() {
    for word in ["menus", "Menus", "menu", "Menu"] {
        assert_eq!(key_of(word, []), "menus");
    }
    assert_eq!(key_of("OrderMenu", []), "order_menus");
    assert_eq!(key_of("staff_member", ["staff_member"]), "staff_member");
    assert_eq!(key_of("news", []), "news");
}

#[test]
fn extensions_are_name_or_author_and_name() {
    let cart = extension("igniter.cart").unwrap();
    assert_eq!(
        (cart.folder.as_str(), cart.package.as_str()),
        ("igniter_cart", "igniter-cart")
    );
    assert_eq!(cart.type_name, "Cart");
    assert_eq!(extension("gift_cards").unwrap().type_name, "GiftCards");
    assert_eq!(
        extension("response").unwrap().type_name,
        "ResponseExtension"
    );
    for bad in ["", ".", "a.b.c", "1st", "std", "mod", "a..b", "ü"] {
        assert!(extension(bad).is_err(), "{bad}");
    }
    for (bad, instead) in [("a/b", "a_b"), ("my shop", "my_shop"), ("shop!", "shop")] {
        let said = extension(bad).unwrap_err();
        assert!(
            said.contains(&format!("`{instead}` would be one")),
            "{said}"
        );
    }
    assert_eq!(extension("gift-cards").unwrap().folder, "gift_cards");
}
