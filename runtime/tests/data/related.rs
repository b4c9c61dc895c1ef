//! Relations of every kind, and access to their includes.

use formwork::data::database::DatabaseOptions;
use formwork::prelude::*;
use formwork_core::loader;

use crate::service::{admin, customer, guest, page, plan, shown, with_database};
use crate::tables::{Category, Media, Menu, Note, Review, menu};

/// Two menus with related rows of every kind, and a third without any.
async fn filled() -> Context {
    filled_in(admin().await).await
}

async fn filled_in(ctx: Context) -> Context {
    for sql in [
        "INSERT INTO places VALUES (1, 'x'), (2, 'y')",
        "INSERT INTO notes VALUES (1, 1, 'low', 1), (2, 1, 'high', 9), (3, 2, 'mid', 5), (4, 9, 'lost', 9)",
        "INSERT INTO categories VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO menu_categories VALUES (1, 1), (2, 1), (1, 2)",
        "INSERT INTO placeables VALUES (1, 'menus', 2), (2, 'categories', 1)",
        "INSERT INTO reviews VALUES (1, 'menus', 1), (2, 'places', 2), (3, 'ghosts', 1), (4, NULL, NULL), (5, 'menus', 99)",
        "INSERT INTO orders VALUES (1, 5, 1), (2, 6, 1), (3, 6, 2)",
    ] {
        ctx.db().execute(sql, []).await.expect(sql);
    }
    let first = Menu {
        place_code: Some("y".to_owned()),
        ..menu("Soup", "1")
    };
    let second = Menu {
        parent_id: Some(1),
        place_code: Some("z".to_owned()),
        ..menu("Stew", "2")
    };
    for mut menu in [first, second, menu("Bare", "3")] {
        menu.insert(&ctx).await.expect("stored");
    }
    for priority in [3, 1, 2] {
        let attachment_type = "menus".to_owned();
        let mut image = Media {
            attachment_type,
            attachment_id: 1,
            priority,
            ..Media::default()
        };
        image.insert(&ctx).await.expect("stored");
    }
    ctx
}

async fn menus(ctx: &Context, query: &str) -> Result<Json> {
    let records = page(ctx, "").await?.records;
    shown(ctx, "menus", records, query).await
}

/// One member of every related row.
fn members(related: &Json, member: &str) -> Json {
    match related {
        Json::Array(rows) => rows.iter().map(|row| row[member].clone()).collect(),
        one => one[member].clone(),
    }
}

#[tokio::test]
async fn every_kind_of_relation_is_one_statement() {
    let ctx = filled().await;
    for (relation, member, expected) in [
        (
            "parent",
            "menu_name",
            [json!(null), json!("Soup"), json!(null)],
        ),
        ("place", "id", [json!(2), json!(null), json!(null)]),
        ("special", "text", [json!("low"), json!("mid"), json!(null)]),
        (
            "notes",
            "text",
            [json!(["high", "low"]), json!(["mid"]), json!([])],
        ),
        ("loud", "text", [json!(["high"]), json!([]), json!([])]),
        (
            "categories",
            "name",
            [json!(["a", "b"]), json!(["a"]), json!([])],
        ),
        (
            "media",
            "priority",
            [json!([1, 2, 3]), json!([]), json!([])],
        ),
        ("places", "code", [json!(["y"]), json!([]), json!([])]),
        ("orders", "id", [json!([1, 2]), json!([3]), json!([])]),
    ] {
        let statements = ctx.db().statements();
        let shown = menus(&ctx, &format!("include={relation}"))
            .await
            .expect(relation);
        let found = [0, 1, 2].map(|at| members(&shown[at][relation], member));
        assert_eq!(found, expected, "{relation}");
        // The page, the relation, and `thumb`, which is always loaded: of the parent too.
        let expected = if relation == "parent" { 4 } else { 3 };
        assert_eq!(ctx.db().statements() - statements, expected, "{relation}");
    }
}

/// Each has a connection of its own, and no more than two are open. The test asks often, because a
/// statement may end before the next one begins.
#[tokio::test]
async fn two_relations_of_a_level_are_loaded_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("menus.sqlite").display());
    let app = with_database(&DatabaseOptions::new(url)).await;
    let ctx = filled_in(app.context()).await;
    let query = "include=notes,categories,media,orders";
    let open = || {
        let usage = ctx.db().pool_usage();
        usage.used + usage.idle
    };
    let before = open();
    let mut most = 0;
    for _ in 0..200 {
        menus(&ctx, query).await.expect("menus");
        most = most.max(open());
    }
    assert_eq!((before, most), (1, 2));
    let transaction = ctx.db().begin().await.expect("a transaction");
    let inside = ctx.with_db(transaction.db().clone());
    let seen = menus(&inside, query).await.expect("in a transaction");
    assert_eq!(seen, menus(&ctx, query).await.expect("outside"));
}

#[tokio::test]
async fn a_polymorphic_relation_leads_to_one_of_several_models() {
    let ctx = filled().await;
    let records = Review::unscoped()
        .order_by("review_id")
        .all(&ctx)
        .await
        .expect("reviews");
    let shown = shown(&ctx, "reviews", records, "include=subject.categories")
        .await
        .expect("shown");
    assert_eq!(shown[0]["subject"]["menu_name"], "Soup");
    assert_eq!(
        members(&shown[0]["subject"]["categories"], "name"),
        json!(["a", "b"])
    );
    assert_eq!(shown[1]["subject"], json!({"id": 2, "code": "y"}));
    for at in 2..5 {
        assert_eq!(shown[at]["subject"], Json::Null, "{at}");
    }
}

#[tokio::test]
async fn includes_nest_and_share_statements() {
    let ctx = filled().await;
    let categories = Category::unscoped().all(&ctx).await.expect("categories");
    let before = ctx.db().statements();
    let query = "include=menus.notes.menu,menus.categories";
    let shown = shown(&ctx, "categories", categories, query)
        .await
        .expect("shown");
    // menus, their thumbs, notes, their menus and thumbs, categories.
    assert_eq!(ctx.db().statements() - before, 6);
    assert_eq!(
        members(&shown[0]["menus"], "menu_name"),
        json!(["Stew", "Soup"])
    );
    assert_eq!(
        shown[0]["menus"][1]["notes"][0]["menu"]["menu_name"],
        "Soup"
    );
    assert_eq!(
        members(&shown[1]["menus"][0]["categories"], "name"),
        json!(["a", "b"])
    );
    assert!(
        shown[0]["menus"][0].get("thumb").is_none(),
        "loaded, not shown"
    );
}

#[tokio::test]
async fn computed_attributes_read_relations_that_are_always_loaded() {
    let ctx = filled().await;
    let records = page(&ctx, "").await.expect("menus").records;
    let includes = plan(&ctx, "menus", "include=notes,parent").expect("a plan");
    let loaded = loader::load(&ctx, records, &includes)
        .await
        .expect("loaded");
    let thumb = loaded[0].one("thumb").expect("a thumb");
    assert_eq!(thumb.value("priority"), Value::Int(3));
    assert_eq!(thumb.get::<Media>().expect("media").priority, 3);
    assert!(thumb.get::<Menu>().is_none());
    assert_eq!(loaded[0].many("notes").count(), 2);
    assert_eq!(loaded[0].menu_name, "Soup");
    assert!(loaded[1].one("thumb").is_none() && loaded[1].has("thumb"));
    assert!(!loaded[0].has("orders"));
    // A related record has relations of its own.
    let parent = loaded[1].one("parent").expect("a parent");
    let parent = parent.loaded::<Menu>().expect("a menu");
    let thumb = parent.one("thumb").expect("its thumb");
    assert_eq!(thumb.value("priority"), Value::Int(3));
}

#[tokio::test]
async fn relations_by_name_are_typed_or_an_error() {
    let ctx = filled().await;
    let records = page(&ctx, "").await.expect("menus").records;
    let includes = plan(&ctx, "menus", "include=notes").expect("a plan");
    let loaded = loader::load(&ctx, records, &includes)
        .await
        .expect("loaded");
    let menu = &loaded[0];
    let thumb = menu.to_one::<Media>("thumb").expect("always loaded");
    assert_eq!(thumb.expect("a thumb").priority, 3);
    assert!(
        loaded[1]
            .to_one::<Media>("thumb")
            .expect("loaded")
            .is_none()
    );
    assert_eq!(menu.to_many::<Note>("notes").expect("included").len(), 2);
    assert!(loaded[2].to_many::<Note>("notes").expect("none").is_empty());
    for (error, parts) in [
        (
            menu.to_many::<Category>("categories").err(),
            ["`categories` of `menus` was not loaded", "`load: always`"],
        ),
        (
            menu.to_many::<Note>("note").err(),
            ["`menus` has no relation `note`", "did you mean `notes`?"],
        ),
        (
            menu.to_one::<Note>("thumb").err(),
            ["`thumb` of `menus` does not lead to", "Note`"],
        ),
    ] {
        let error = error.expect(parts[0]);
        assert_eq!(error.status().as_u16(), 500);
        for part in parts {
            assert!(error.to_string().contains(part), "{part} in {error}");
        }
    }
    let blank = Loaded::blank(Menu::default());
    assert!(blank.to_many::<Note>("notes").expect("blank").is_empty());
}

#[tokio::test]
async fn a_polymorphic_record_is_read_by_its_type() {
    let ctx = filled().await;
    let reviews = Review::unscoped().order_by("review_id").all(&ctx).await;
    let includes = plan(&ctx, "reviews", "include=subject").expect("a plan");
    let loaded = loader::load(&ctx, reviews.expect("reviews"), &includes)
        .await
        .expect("loaded");
    let subject = |at: usize| loaded[at].morph_to::<Menu>("subject").expect("included");
    assert_eq!(subject(0).expect("a menu").menu_name, "Soup");
    // A place, a kind that is unknown, none.
    assert!((1..4).all(|at| subject(at).is_none()));
}

#[tokio::test]
async fn unknown_includes_are_refused_by_name() {
    let ctx = filled().await;
    let error = plan(&ctx, "reviews", "include=subject.ghosts").expect_err("nobody has ghosts");
    assert!(error.to_string().contains("`subject.ghosts`"), "{error}");
    for (query, named) in [
        ("include=note", "Did you mean `notes`"),
        ("include=thumb", "thumb"),
        ("include=notes.menus", "`notes.menus`"),
        ("exclude=nothing", "nothing"),
    ] {
        let error = plan(&ctx, "menus", query).expect_err(query);
        assert_eq!(error.status().as_u16(), 400, "{query}");
        assert!(error.to_string().contains(named), "{query}: {error}");
    }
}

#[tokio::test]
async fn includes_obey_the_included_resources_rules() {
    let ctx = filled().await;
    let refused = menus(&guest(&ctx), "include=orders")
        .await
        .expect_err("for users only");
    assert_eq!(refused.status().as_u16(), 403);
    assert!(refused.to_string().contains("`orders`"), "{refused}");
    let own = menus(&customer(&ctx, 6), "include=orders")
        .await
        .expect("shown");
    assert_eq!(
        members(&own[0]["orders"], "id"),
        json!([2]),
        "another's order is not there"
    );
    let all = menus(&ctx, "include=orders,secret").await.expect("shown");
    assert_eq!(members(&all[0]["secret"], "id"), json!([1, 2]));
    let narrowed = menus(&customer(&ctx, 6), "include=secret")
        .await
        .expect_err("narrowed");
    assert_eq!(narrowed.status().as_u16(), 403);
}

#[tokio::test]
async fn long_lists_are_cut_and_padded() {
    let ctx = filled().await;
    // MariaDB ends a recursion after 1000 steps.
    let notes = (1..=1500).map(|i| format!("({}, 1, '{i}', 0)", 100 + i));
    let notes = notes.collect::<Vec<_>>().join(", ");
    let sql = format!("INSERT INTO notes (note_id, menu_id, text, priority) VALUES {notes}");
    ctx.db().execute(sql, []).await.expect("many notes");
    let menus = (4..=1500).map(|i| format!("({i}, '{i}', 0, TRUE)"));
    let menus = menus.collect::<Vec<_>>().join(", ");
    let sql =
        format!("INSERT INTO menus (menu_id, menu_name, menu_price, menu_status) VALUES {menus}");
    ctx.db().execute(sql, []).await.expect("many menus");
    let records = Menu::unscoped().all(&ctx).await.expect("menus");
    assert_eq!(records.len(), 1500);
    let includes = plan(&ctx, "menus", "include=notes").expect("a plan");
    let before = ctx.db().statements();
    let loaded = loader::load(&ctx, records, &includes)
        .await
        .expect("loaded");
    assert_eq!(
        ctx.db().statements() - before,
        4,
        "two chunks for each of two relations"
    );
    assert_eq!(loaded[0].many("notes").count(), 1502);
}

#[test]
fn relations_to_unknown_models_are_found_at_start() {
    let mut source = formwork::resource::SupportingModel::of::<Menu>("menus").source;
    let unknown = source.resolve(&|key| (key != "notes").then_some(0));
    assert_eq!(
        unknown,
        [("special", "notes"), ("notes", "notes"), ("loud", "notes")]
    );
}
