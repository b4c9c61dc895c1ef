//! A SQLite file as other programs leave it: values of other types than the tables declare, date-times in several forms,
//! tables of modules, views that are broken.

use formwork_tests::client::Client;
use formwork_tests::project::Project;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use crate::database;

/// What other programs add to the shop, with rows.
pub const LEGACY: &str = include_str!("legacy.sql");

/// A project, the URL of a file, and the folder of that file.
fn legacy() -> (Project, String, tempfile::TempDir) {
    let (project, url, folder) = crate::sqlite::shop();
    database::sqlite(&folder.path().join("shop.db"), LEGACY);
    (project, url, folder)
}

#[test]
fn files_of_other_programs_become_manifests() {
    let (project, url, _folder) = legacy();
    let ran = project.run(&["import", "--database-url", &url]).exits(0);
    for said in [
        "broken: not imported: it cannot be read: ",
        "pages: not imported: a virtual table: ",
        "pages_data: not imported: it holds the index of the virtual table `pages`",
        "places: not imported: a virtual table: ",
        "places_node: not imported: it holds the index of the virtual table `places`",
        "activities: not imported: it has no primary key",
        "event_dish: a pivot table, imported as a `many_to_many` relation",
        // The keys of these are not unique together, or have another type than those of the rows.
        "event_lines: not imported: its key has 2 columns (event_id, line_no)",
        "dish_prices: not imported: its key has 3 columns (dish_id, account_id, valid_from)",
        "trail: not imported: it has no primary key",
        "account_dish: not imported: its key has 2 columns (account_id, dish_id)",
        "traceables: not imported: it has no primary key",
        "account_tag: a pivot table, imported as a `many_to_many` relation",
        "attendances: a pivot table, imported as a `many_to_many` relation",
        "labelings: a pivot table, imported as a `morph_many_to_many` relation",
    ] {
        assert!(ran.output.contains(said), "{said}\n{}", ran.output);
    }
    project.run(&["manifest", "check"]).exits(0);
    for (path, parts, absent) in MANIFESTS {
        let text = project.read(&format!("extensions/app/{path}.yaml"));
        for part in *parts {
            assert!(text.contains(part), "{part}\n{text}");
        }
        for part in *absent {
            assert!(!text.contains(part), "{part}\n{text}");
        }
    }
}

/// What stands in the manifests, and what does not.
const MANIFESTS: &[(&str, &[&str], &[&str])] = &[
    (
        "resources/codes",
        &["# No `store`: the table needs a value that requests cannot send: code."],
        &["\"store:admin\", "],
    ),
    (
        "resources/account_settings",
        &[
            "belongs_to: accounts\n      column: account_id\n",
            "# No `store`",
        ],
        &["\"store:admin\", "],
    ),
    (
        "resources/accounts",
        &[
            "has_one: account_settings\n",
            "# Looks like a timestamp that another program sets. The service does not set it.\n    createdAt:\n",
            "# No `destroy`: `discarded_at`",
            "many_to_many: tags\n      pivot: account_tag\n      column: account_id\n      other_column: tag_id\n      include: admin\n      write: sync\n",
            "many_to_many: events\n      pivot: attendances\n      column: account_id\n      other_column: event_id\n      include: admin\nactions: ",
        ],
        &["destroy:admin", "event_lines", "dish_prices", "trail"],
    ),
    ("resources/albums", &["key: AlbumId\n", "store:admin"], &[]),
    (
        "resources/events",
        &[
            "starts_at:\n      type: datetime\n",
            "# Rows hold a date with a time, so it is a date-time.\n    day:\n      type: datetime\n",
            "level:\n      type: bigint\n      nullable: true\n      rules: \"in:1,2,3\"\n",
            "type: \"enum(Admin::User, Guest)\"\n",
            "has_many: event_tags\n",
            "many_to_many: dishes\n      pivot: event_dish\n",
            // Its rows need timestamps, which no list of keys has.
            "# Read only: the pivot table has columns of its own, which this relation does not show.\n    tags_by_labelable:\n",
            "morph_many: stickers\n      morph: stickable\n",
        ],
        &[
            "timestamps: false",
            "pivot: event_tag\n      column: event_id\n      other_column: tag_id\n      include: admin\n      write: sync\n",
            "pivot: labelings\n      morph: labelable\n      value: \"Event\"\n      other_column: tag_id\n      include: admin\n      write: sync\n",
        ],
    ),
    (
        "resources/settings",
        &[
            "options:\n      type: json\n",
            "note:\n      type: text\n      rules: present\n    title:\n      type: text\n",
        ],
        &["title:\n      type: text\n      rules"],
    ),
    (
        "resources/stickers",
        &[
            "morph_to: { \"Event\": events }\n",
            "belongs_to: tags\n",
            "\"store:admin\", ",
        ],
        &["timestamps: false", "created_at:"],
    ),
    (
        "models/event_tags",
        &["created_at:\n      type: datetime\n"],
        &[],
    ),
    (
        "resources/follows",
        &[
            "belongs_to: events\n",
            "belongs_to: accounts\n",
            "\"store:admin\", ",
        ],
        &["timestamps: false"],
    ),
    (
        "resources/messes",
        &[
            "# Left out: `amount` (INTEGER): rows hold values of several types: integer, text.\n",
            "flag:\n      type: text\n      nullable: true\n      access: read_only\n",
            "# Rows hold whole numbers, not values of the declared type.\n    seen:\n      type: bigint\n",
            "moment:\n      type: text\n      nullable: true\n      access: read_only\n",
            "price:\n      type: float\n",
            "born:\n      type: text\n",
            "reference:\n      type: text\n",
            "data:\n      type: text\n",
        ],
        &[],
    ),
    (
        "resources/seats",
        &[
            "# Not a relation: the foreign key `login` to `accounts.login`, because that column is not the key of its table.\n",
            "# Not a relation: the foreign key `line` to `log.line`, because that table is not imported.\n",
            "# Not a relation, because the foreign key has several columns: event_id, tag_id to `event_tag`.\n",
        ],
        &[],
    ),
    (
        "resources/products",
        &[
            "# A manifest has no type STRING: its rows hold texts. Read only: SQLite would store the text `1` as a number.\n    name:\n      type: text\n      nullable: true\n      access: read_only\n",
            "# A manifest has no type NUMBER(10,2): its rows hold whole numbers.\n    stock:\n      type: bigint\n      nullable: true\n",
            "# A manifest has no type MONEY: its rows hold numbers.\n    cost:\n      type: float\n",
            "    sold:\n      type: datetime\n      nullable: true\n",
            "no row holds a value, so it is imported as text. Read only: SQLite would store the text `1` as a number.\n    spare:\n      type: text\n",
            "# Left out: `body` (BLOB)",
            "# A manifest has no type BLOB: its rows hold texts.\n    memo:\n      type: text\n      nullable: true\nactions: ",
            "# Left out: `mixed` (STRING)",
            "\"store:admin\", ",
        ],
        &[],
    ),
    (
        "resources/units",
        &["actions: [\"index:admin\", \"show:admin\"]\n"],
        &[],
    ),
    (
        "resources/traces",
        &[
            "# Values whose table has a key of another type: Event.\n",
            "morph_to: { \"Box\": boxes }\n",
        ],
        &[],
    ),
    (
        "resources/marks",
        &[
            "# Not a relation: `subject_type` with `subject_id`, because the keys of Event have another type.",
        ],
        &["morph_to", "If the pair is polymorphic"],
    ),
    (
        "resources/reactions",
        &["# Not a relation: `reactable_type` with `reactable_id`, because no row has a value."],
        &[],
    ),
];

#[test]
fn a_pivot_without_its_targets_is_a_resource() {
    let (project, url, _folder) = legacy();
    let import = [
        "import",
        "--database-url",
        &url,
        "--tables",
        "event_dish,events,broken",
    ];
    let ran = project.run(&import).exits(0);
    ran.says("broken: not imported: it cannot be read: ");
    let text = project.read("extensions/app/resources/event_dishes.yaml");
    assert!(text.contains("belongs_to: events\n"), "{text}");
    let note = "# Not a relation: the foreign key `dish_id` to `dishes.id`, because that table is not imported.\n";
    assert!(text.contains(note), "{text}");
}

/// Date-times in the forms of several programs are one to the service, and it writes the common one.
pub fn ask(admin: &Client, url: &str) {
    let named = |query: &str| -> Vec<String> {
        let list = admin.get(&format!("/api/events?{query}"));
        assert_eq!(list.status, 200, "{query}: {list}");
        let names = list
            .records()
            .iter()
            .map(|one| one["name"].as_str().unwrap_or_default().to_owned());
        names.collect()
    };
    assert_eq!(
        named("filter[starts_at]=2026-01-31T12:00:00Z"),
        ["Laravel", "Rails"]
    );
    assert_eq!(
        named("filter[starts_at][gt]=2026-01-31T12:00:00Z&sort=-starts_at"),
        ["Django", "Formwork"]
    );
    assert_eq!(
        named("filter[starts_at][lte]=2026-01-31T12:00:00Z"),
        ["Laravel", "Rails"]
    );
    assert_eq!(
        named(
            "filter[starts_at][in]=2026-01-31T13:00:00.5Z,2026-01-31T13:30:00%2B01:00&sort=starts_at"
        ),
        ["Formwork", "Django"]
    );
    let in_order = ["Laravel", "Rails", "Formwork", "Django"];
    assert_eq!(named("sort=starts_at"), in_order);
    assert_eq!(pages(admin), in_order, "by cursor");
    let body = json!({ "name": "Ours", "starts_at": "2026-01-31T12:45:00Z", "day": "2026-01-31T00:00:00Z", "level": 3 });
    let stored = admin.post("/api/events", &body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(named("filter[starts_at]=2026-01-31T12:45:00Z"), ["Ours"]);
    assert_eq!(
        named("sort=starts_at"),
        ["Laravel", "Rails", "Formwork", "Ours", "Django"]
    );
    let changed = admin.patch(
        "/api/events/1",
        &json!({ "starts_at": "2026-02-01T00:00:00.25Z" }),
    );
    assert_eq!(changed.status, 200, "{changed}");
    let sql = "SELECT starts_at FROM events WHERE name IN ('Ours', 'Laravel') ORDER BY 1";
    let written = database::texts::<SqliteConnection>(url, sql);
    assert_eq!(
        written,
        ["2026-01-31 12:45:00", "2026-02-01 00:00:00.250000"]
    );
    let sql =
        "SELECT 'x' FROM events WHERE created_at NOT GLOB '????-??-?? ??:??:??*' AND name = 'Ours'";
    assert!(
        database::texts::<SqliteConnection>(url, sql).is_empty(),
        "the stamps too"
    );
    others(admin);
}

/// The names of all events, a page of one after the other.
fn pages(admin: &Client) -> Vec<String> {
    let mut path = "/api/events?sort=starts_at&page[size]=1&page[after]=".to_owned();
    let mut names = Vec::new();
    while names.len() < 9 {
        let page = admin.get(&path);
        assert_eq!(page.status, 200, "{page}");
        names.extend(
            page.records()
                .iter()
                .filter_map(|one| one["name"].as_str().map(str::to_owned)),
        );
        let Some(next) = page.json["links"]["next"].as_str() else {
            break;
        };
        path = next.to_owned();
    }
    names
}

/// Tables with odd keys and odd values.
fn others(admin: &Client) {
    let mess = admin.get("/api/messes?sort=id");
    assert_eq!(mess.status, 200, "{mess}");
    let first = &mess.records()[0];
    assert_eq!(
        (&first["flag"], &first["seen"]),
        (&json!("t"), &json!(1_767_225_600)),
        "{mess}"
    );
    assert_eq!(first.get("amount"), None, "{mess}");
    let album = admin.post("/api/albums", &json!({ "Title": "Kind of" }));
    assert_eq!(
        (album.status, &album.json["data"]["id"]),
        (201, &json!(2)),
        "{album}"
    );
    let shown = admin.get("/api/albums/2");
    assert_eq!(shown.json["data"]["Title"], "Kind of", "{shown}");
    assert_eq!(
        admin
            .get("/api/albums?filter[AlbumId]=2&sort=-AlbumId")
            .ids(),
        [2]
    );
    assert_eq!(
        admin.post("/api/codes", &json!({ "name": "two" })).status,
        405
    );
    let settings = admin.get("/api/account_settings/1?include=account");
    assert_eq!(
        settings.json["data"]["account"]["login"], "ann",
        "{settings}"
    );
    let account = admin.get("/api/accounts/2?include=account_setting");
    assert_eq!(
        account.json["data"]["account_setting"],
        Value::Null,
        "{account}"
    );
    for level in [4, 0] {
        let body = json!({ "name": "x", "starts_at": "2026-01-31T12:45:00Z", "level": level });
        let answer = admin.post("/api/events", &body);
        assert_eq!(answer.status, 422, "{answer}");
        assert!(answer.json["errors"]["level"].is_array(), "{answer}");
    }
    let follow = admin.post("/api/follows", &json!({ "event_id": 1, "account_id": 2 }));
    assert_eq!(follow.status, 201, "its timestamps are set: {follow}");
    polymorphic(admin);
    undeclared(admin);
    for options in [json!(-1), json!(1.5), json!("5"), json!([5])] {
        let changed = admin.patch(
            "/api/settings/1",
            &json!({ "options": options, "note": "" }),
        );
        assert_eq!(changed.status, 200, "{changed}");
        assert_eq!(changed.json["data"]["options"], options, "{changed}");
    }
    assert_eq!(admin.get("/api/settings/2").json["data"]["options"], 5);
    let body = json!({ "name": "LARAVEL", "starts_at": "2026-01-31T12:45:00Z" });
    let answer = admin.post("/api/events", &body);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(
        answer.json["errors"]["events_lower_name"].is_array(),
        "{answer}"
    );
    let event = admin.get("/api/events/1?include=tags,event_tags,dishes");
    assert_eq!(event.json["data"]["tags"][0]["label"], "hot", "{event}");
    let event = admin.get("/api/events/1?include=accounts");
    assert_eq!(event.json["data"]["accounts"][0]["login"], "bo", "{event}");
    let traces = admin.get("/api/traces?include=subject&sort=id");
    assert_eq!(traces.status, 200, "{traces}");
    assert_eq!(traces.records()[1]["subject_id"], "b1", "{traces}");
}

/// Columns of types that a manifest lacks are read and written as what their rows hold.
fn undeclared(admin: &Client) {
    let body = json!({ "name": "7", "stock": 5, "cost": 4.0, "sold": "2026-02-01T08:00:00Z", "memo": "7" });
    let stored = admin.post("/api/products", &body);
    assert_eq!(stored.status, 201, "{stored}");
    let list = admin.get("/api/products?filter[cost][gte]=2.5&sort=id");
    assert_eq!(list.status, 200, "{list}");
    let first = &list.records()[0];
    assert_eq!(
        (
            &first["name"],
            &first["stock"],
            &first["cost"],
            &first["memo"]
        ),
        (&json!("Tea"), &json!(3), &json!(2.5), &json!("dry")),
        "{list}"
    );
    let last = &list.records()[2];
    assert_eq!(
        (&last["name"], &last["stock"], &last["cost"], &last["memo"]),
        (&Value::Null, &json!(5), &json!(4.0), &json!("7")),
        "{list}"
    );
    let sold = admin.get("/api/products?filter[sold]=2026-01-31T12:00:00Z");
    assert_eq!(sold.ids(), [1], "{sold}");
    assert_eq!(admin.get("/api/units/kg").json["data"]["label"], "Kilogram");
}

/// Polymorphic pivots whose rows need timestamps: one with a key is a resource, which sets them; the other is a list
/// that is read only.
fn polymorphic(admin: &Client) {
    let body = json!({ "tag_id": 1, "stickable_type": "Event", "stickable_id": 1 });
    let sticker = admin.post("/api/stickers", &body);
    assert_eq!(sticker.status, 201, "{sticker}");
    for stamp in ["created_at", "updated_at"] {
        assert!(sticker.json["data"][stamp].is_string(), "{sticker}");
    }
    let path = "/api/events/1?include=tags_by_labelable,stickers.tag";
    let event = admin.get(path);
    let record = &event.json["data"];
    assert_eq!(record["tags_by_labelable"][0]["label"], "hot", "{event}");
    assert_eq!(record["stickers"][0]["tag"]["label"], "new", "{event}");
    assert_eq!(record["stickers"][1]["tag"]["label"], "hot", "{event}");
    let changed = admin.patch("/api/events/1", &json!({ "tags_by_labelable": [2] }));
    assert_eq!(changed.status, 200, "{changed}");
    let event = admin.get(path);
    assert_eq!(
        event.json["data"]["tags_by_labelable"], record["tags_by_labelable"],
        "{event}"
    );
}
