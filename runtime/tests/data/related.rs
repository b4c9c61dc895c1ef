//! Relations of every kind, and access to their includes.

use formwork::prelude::*;

use crate::service::{admin, in_file, load, plan, render, with_database};
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
        let mut image = Media {
            attachment_type: "menus".to_owned(),
            attachment_id: 1,
            priority,
            ..Media::default()
        };
        image.insert(&ctx).await.expect("stored");
    }
    ctx
}

async fn all<M: Model>(ctx: &Context) -> Vec<M> {
    let query = M::unscoped().order_by(M::KEY);
    query.all(ctx).await.expect("records")
}

async fn menus(ctx: &Context, query: &str) -> Json {
    render(ctx, "menus", all::<Menu>(ctx).await, query).await
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
        ("parent", "menu_name", r#"[null, "Soup", null]"#),
        ("place", "id", "[2, null, null]"),
        ("special", "text", r#"["low", "mid", null]"#),
        ("notes", "text", r#"[["high", "low"], ["mid"], []]"#),
        ("loud", "text", r#"[["high"], [], []]"#),
        ("categories", "name", r#"[["a", "b"], ["a"], []]"#),
        ("media", "priority", "[[1, 2, 3], [], []]"),
        ("places", "code", r#"[["y"], [], []]"#),
        ("orders", "id", "[[1, 2], [3], []]"),
    ] {
        let statements = ctx.db().statements();
        let shown = menus(&ctx, &format!("include={relation}")).await;
        let found = [0, 1, 2].map(|at| members(&shown[at][relation], member));
        let expected: Json = expected.parse().expect("JSON");
        assert_eq!(json!(found), expected, "{relation}");
        // The page, the relation, and `thumb`, which is always loaded: of the parent too.
        let expected = if relation == "parent" { 4 } else { 3 };
        assert_eq!(ctx.db().statements() - statements, expected, "{relation}");
    }
}

/// Each has a connection of its own, and no more than two are open. The test asks until it sees both,
/// because a statement may end before the next one begins.
#[tokio::test]
async fn two_relations_of_a_level_are_loaded_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_database(in_file(&folder)).await;
    let ctx = filled_in(app.context()).await;
    let query = "include=notes,categories,media,orders";
    let open = || {
        let usage = ctx.db().pool_usage();
        usage.used + usage.idle
    };
    let (before, mut most) = (open(), 0);
    for round in 0..200 {
        menus(&ctx, query).await;
        most = most.max(open());
        if most > 1 && round > 20 {
            break;
        }
    }
    assert_eq!((before, most), (1, 2));
    let transaction = ctx.db().begin().await.expect("a transaction");
    let tx = ctx.with_db(transaction.db().clone());
    let in_transaction = menus(&tx, query).await;
    assert_eq!(in_transaction, menus(&ctx, query).await);
}

#[tokio::test]
async fn a_polymorphic_relation_leads_to_one_of_several_models() {
    let ctx = filled().await;
    let records = all::<Review>(&ctx).await;
    let shown = render(&ctx, "reviews", records, "include=subject.categories").await;
    assert_eq!(shown[0]["subject"]["menu_name"], "Soup");
    let categories = &shown[0]["subject"]["categories"];
    assert_eq!(members(categories, "name"), json!(["a", "b"]));
    assert_eq!(shown[1]["subject"], json!({"id": 2, "code": "y"}));
    for at in 2..5 {
        assert_eq!(shown[at]["subject"], Json::Null, "{at}");
    }
}

#[tokio::test]
async fn includes_nest_and_share_statements() {
    let ctx = filled().await;
    let categories = all::<Category>(&ctx).await;
    let before = ctx.db().statements();
    let query = "include=menus.notes.menu,menus.categories";
    let shown = render(&ctx, "categories", categories, query).await;
    // menus, their thumbs, notes, their menus and thumbs, categories.
    assert_eq!(ctx.db().statements() - before, 6);
    let first = &shown[0]["menus"];
    assert_eq!(members(first, "menu_name"), json!(["Stew", "Soup"]));
    assert_eq!(first[1]["notes"][0]["menu"]["menu_name"], "Soup");
    let second = &shown[1]["menus"][0]["categories"];
    assert_eq!(members(second, "name"), json!(["a", "b"]));
    assert_eq!(first[0].get("thumb"), None, "loaded, not shown");
}

#[tokio::test]
async fn computed_attributes_read_relations_that_are_always_loaded() {
    let ctx = filled().await;
    let records = all::<Menu>(&ctx).await;
    let loaded = load(&ctx, "menus", records, "include=notes,parent").await;
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
    let records = all::<Menu>(&ctx).await;
    let loaded = load(&ctx, "menus", records, "include=notes").await;
    let menu = &loaded[0];
    let thumb = menu.to_one::<Media>("thumb").expect("always loaded");
    assert_eq!(thumb.expect("a thumb").priority, 3);
    let none = loaded[1].to_one::<Media>("thumb").expect("loaded");
    assert!(none.is_none());
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
    let reviews = all::<Review>(&ctx).await;
    let loaded = load(&ctx, "reviews", reviews, "include=subject").await;
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
async fn long_lists_are_cut_and_padded() {
    let ctx = filled().await;
    // MariaDB ends a recursion after 1000 steps.
    let insert = async |columns: &str, row: &dyn Fn(i32) -> String, first: i32| {
        let rows: Vec<String> = (first..=1500).map(row).collect();
        let sql = format!("INSERT INTO {columns} VALUES {}", rows.join(", "));
        ctx.db().execute(sql, []).await.expect("many rows");
    };
    let note = |i| format!("({}, 1, '{i}', 0)", 100 + i);
    insert("notes (note_id, menu_id, text, priority)", &note, 1).await;
    let menu = |i| format!("({i}, '{i}', 0, TRUE)");
    insert(
        "menus (menu_id, menu_name, menu_price, menu_status)",
        &menu,
        4,
    )
    .await;
    let records = all::<Menu>(&ctx).await;
    assert_eq!(records.len(), 1500);
    let before = ctx.db().statements();
    let loaded = load(&ctx, "menus", records, "include=notes").await;
    // Two chunks for each of two relations.
    assert_eq!(ctx.db().statements() - before, 4);
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
