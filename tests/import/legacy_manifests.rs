//! The manifests of a SQLite file as other programs leave it.

use crate::legacy::legacy;
use crate::report::not_imported;

#[test]
fn files_of_other_programs_become_manifests() {
    let (project, url, _folder) = legacy();
    let ran = project.run(&["import", "--database-url", &url]).exits(0);
    assert_eq!(not_imported(&ran.output), NOT_IMPORTED, "{}", ran.output);
    let guess = "orphans: guessed, and explained in its manifest: fee\n";
    assert!(ran.output.contains(guess), "{}", ran.output);
    for pivot in [
        "event_dish: a pivot table, imported as a `many_to_many` relation",
        "account_tag: a pivot table, imported as a `many_to_many` relation",
        "attendances: a pivot table, imported as a `many_to_many` relation",
        "labelings: a pivot table, imported as a `morph_many_to_many` relation",
    ] {
        assert!(ran.output.contains(pivot), "{pivot}\n{}", ran.output);
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

/// What no manifest describes, and why: the keys of some are not unique together, or have another type than those of the
/// rows.
const NOT_IMPORTED: &[&str] = &[
    "note: account_dish: not imported: its key has 2 columns (account_id, dish_id), and a resource needs a key of one column",
    "note: activities: not imported: it has no primary key, and no unique column that is never null",
    "note: broken: not imported: it cannot be read: error returned from database: (code: 1) no such column: gone",
    "note: dish_prices: not imported: its key has 3 columns (dish_id, account_id, valid_from), and a resource needs a key of one column",
    "note: event_lines: not imported: its key has 2 columns (event_id, line_no), and a resource needs a key of one column",
    "note: log: not imported: it has no primary key, and no unique column that is never null",
    "note: notes: not imported: its key `code` (VARCHAR(9)) cannot be used: rows share a value of it, or have none",
    "note: odd name: not imported: the name of a table in a manifest has at most 63 letters, digits and `_`",
    "note: pages: not imported: a virtual table: a module of SQLite computes its rows",
    "note: pages_config: not imported: it holds the index of the virtual table `pages`",
    "note: pages_content: not imported: it holds the index of the virtual table `pages`",
    "note: pages_data: not imported: it holds the index of the virtual table `pages`",
    "note: pages_docsize: not imported: it holds the index of the virtual table `pages`",
    "note: pages_idx: not imported: it holds the index of the virtual table `pages`",
    "note: places: not imported: a virtual table: a module of SQLite computes its rows",
    "note: places_node: not imported: it holds the index of the virtual table `places`",
    "note: traceables: not imported: it has no primary key, and no unique column that is never null",
    "note: trail: not imported: it has no primary key, and no unique column that is never null",
];

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
            "# A manifest has no type STRING: its rows hold texts. SQLite would store the text `1` as a number, so it is refused.\n    name:\n      type: text\n      nullable: true\n      rules: [\"regex:",
            "# A manifest has no type NUMBER(10,2): its rows hold whole numbers.\n    stock:\n      type: bigint\n      nullable: true\n",
            "# A manifest has no type MONEY: its rows hold numbers.\n    cost:\n      type: float\n",
            "    sold:\n      type: datetime\n      nullable: true\n",
            "no row holds a value, so it is imported as text. SQLite would store the text `1` as a number, so it is refused.\n    spare:\n      type: text\n",
            "# Left out: `body` (BLOB)",
            "# A manifest has no type BLOB: its rows hold texts.\n    memo:\n      type: text\n      nullable: true\nactions: ",
            "# Left out: `mixed` (STRING)",
            "\"store:admin\", ",
        ],
        &[],
    ),
    (
        "resources/orphans",
        &[
            "# No `store`: SQLite refuses new rows, because a foreign key leads to `gone`, which is not there.\n",
            "gone_id:\n      type: bigint\n      nullable: true\n      access: read_only\n",
            "# A manifest has no type NUMBER: no row holds a value, and the name of the type is that of numbers (guessed).\n    fee:\n      type: float\n",
        ],
        &["store:admin"],
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
