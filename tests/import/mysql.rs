//! A database as Laravel leaves it: a prefix, unsigned keys, booleans of one digit, zero dates, polymorphic pairs.

use formwork_tests::project::Project;

use crate::database::Scratch;

/// A database as Laravel leaves it, with rows.
pub const LARAVEL: &str = include_str!("laravel.sql");

#[test]
fn tables_of_a_server_become_manifests() {
    // Dropped behind the one that refers to it.
    let Some(elsewhere) = Scratch::mysql("elsewhere") else {
        return;
    };
    let scratch = Scratch::mysql("manifests").expect("the same server");
    scratch.run(LARAVEL);
    elsewhere.run("CREATE TABLE lv_members (id BIGINT UNSIGNED PRIMARY KEY)");
    let database = elsewhere.url().rsplit('/').next().expect("a name");
    scratch.run(&format!(
        "CREATE TABLE lv_abroad (id INT AUTO_INCREMENT PRIMARY KEY, person BIGINT UNSIGNED, \
         FOREIGN KEY (person) REFERENCES {database}.lv_members (id))"
    ));
    scratch.run(
        "CREATE TABLE gone (id INT); CREATE VIEW lv_broken AS SELECT id FROM gone; DROP TABLE gone; \
             CREATE VIEW lv_twice AS SELECT label_id AS id FROM lv_labels UNION ALL SELECT label_id FROM lv_labels",
    );
    let project = Project::new("bistro");
    let import = ["import", "--database-url", scratch.url(), "--prefix", "lv_"];
    let ran = project.run(&import).exits(0);
    let ran = ran
        .says("lv_twice: not imported: its key `id` cannot be used: rows share a value of it, or have none")
        .says("lv_broken: not imported: the database shows no column of it, as for a view over a dropped table")
        .says("lv_article_label: a pivot table, imported as a `many_to_many` relation")
        .says("lv_labelables: a pivot table, imported as a `morph_many_to_many` relation")
        .says("lv_members: looks like accounts")
        .says("lv_blobs: not imported: its key `id` has the type binary(16)")
        .says("lv_log: not imported: it has no primary key");
    ran.says("write `database: mysql` in formwork.yaml");
    let checked = project.run(&["manifest", "check"]).exits(0);
    checked.says("18 resources, 1 supporting model");
    for (path, parts) in MANIFESTS {
        let text = project.read(&format!("extensions/app/{path}.yaml"));
        for part in *parts {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
    project.run(&["generate"]).exits(0);
}

/// What stands in the manifests.
const MANIFESTS: &[(&str, &[&str])] = &[
    (
        "models/course_members",
        &[
            "# A pivot table with columns of its own: `member_id` is unique within one `course_id`.\n",
            "key: { name: member_id, with: [course_id] }\n",
            "grade:\n      type: integer\n      nullable: true\n      rules: \"min:0|max:255\"\n",
            "belongs_to: courses\n",
        ],
    ),
    (
        "resources/courses",
        &["has_many: course_members\n", "many_to_many: members\n"],
    ),
    (
        "resources/members",
        &[
            "description: People who read\n",
            "key: id\n",
            "unique: true\n      rules: email\n",
            "# Guessed: a boolean, because it has one digit.\n    is_activated:\n      type: boolean\n      default: false\n",
            "has_many: articles\n",
            "has_many: course_members\n",
            // Its rows and its default are zero dates.
            "# Zero dates (0000-00-00) are read as null.\n    last_seen:\n      type: datetime\n      nullable: true\n      rules: required\n",
        ],
    ),
    (
        "resources/topics",
        &["description: As readers see it\n", "key: topic_id\n"],
    ),
    (
        "resources/articles",
        &[
            "type: \"enum(draft, printed)\"\n      default: \"draft\"\n",
            "storage: native\n",
            "rules: \"min:1|max:5\"\n",
            "price_cents:\n      type: bigint\n      nullable: true\n      access: read_only\n      set_by: database\n",
            "options:\n      type: json\n",
            "badges:\n      type: \"string(11)\"\n      nullable: true\n      rules: [\"regex:^(?:(?:new|hot|a\\\\|b)(?:,(?:new|hot|a\\\\|b))*)?$\"]\n      example: new\n",
            "is_open:\n      type: boolean\n      default: true\n",
            "flags:\n      type: bigint\n      default: 5\n      rules: \"min:0|max:63\"\n",
            "since:\n      type: integer\n      nullable: true\n      rules: \"min:1901|max:2155\"\n",
            "shown_on:\n      type: date\n      default: \"2026-01-01\"\n",
            "# No rule expresses this check; only the database enforces it: `price` < 1000\n",
            "belongs_to: topics\n",
            "# Guessed from the name",
            "    # Guessed from the names of `article_id` and `label_id` in `lv_article_label`, not all of them foreign keys.\n    labels:\n      many_to_many: labels\n",
            "rules: \"exists:lv_topics,topic_id\"\n",
        ],
    ),
    (
        "resources/pictures",
        &[
            "# Values that match no table: App\\Models\\Ghost.\n",
            "morph_to: { \"App\\\\Models\\\\Article\": articles, \"App\\\\Models\\\\Member\": members }\n",
            "# No `destroy`: `deleted_at`",
        ],
    ),
    (
        "resources/visits",
        &[
            "# Left out: `half` (date): rows hold dates without a month or a day.\n",
            "# Left out: `took` (time): rows hold times that are longer than a day.\n",
            "# Left out: `hits` (bigint(20) unsigned): rows hold numbers beyond 9223372036854775807.\n",
            "seed:\n      type: bigint\n      default: 0\n      rules: \"min:0\"\n",
            "# Guessed: a uuid, because it has 36 characters.\n    uuid:\n      type: uuid\n",
        ],
    ),
    (
        "resources/profiles",
        &[
            "# No `store`: the table needs a value that requests cannot send: member_id.",
            "rules: \"max:17000\"\n",
            "belongs_to: members\n      column: member_id\n",
        ],
    ),
    (
        "resources/ranks",
        &[
            "# No `store`",
            "rules: \"in:1,2,3\"\n",
            "rules: [\"regex:^(?:it's|Admin::User)$\"]\n      example: \"it's\"\n",
        ],
    ),
    ("resources/prices", &["store:admin"]),
    (
        "resources/parcels",
        &[
            "# Left out: `weight` (decimal(40,2)): rows hold numbers beyond 28 digits.\n",
            "marks:\n      type: \"string(9)\"\n      default: \"\"\n      rules: [\"regex:^(?:(?:gift|fast)(?:,(?:gift|fast))*)?$\"]\n",
            "note:\n      type: text\n      rules: present\n",
            "mood:\n      type: \"string(255)\"\n      nullable: true\n      rules: [\"regex:^(?:so, so|well)$\"]\n      example: \"so, so\"\n",
            "batch:\n      type: \"string(36)\"\n      default: \"\"\n",
            "contact_email:\n      type: \"string(90)\"\n      default: \"\"\n      rules: email\n",
        ],
    ),
    (
        "resources/seats",
        &[
            "# Not a relation, because the foreign key has several columns: course_id, member_id to `lv_course_member`.\n",
        ],
    ),
    (
        "resources/abroads",
        &[".lv_members.id`, because that table is not imported.\n"],
    ),
    (
        "resources/sessions",
        &["key: { name: id, type: \"string(255)\" }\n"],
    ),
];

#[test]
fn a_changed_table_is_merged_and_edits_stay() {
    let Some(scratch) = Scratch::mysql("again") else {
        return;
    };
    scratch.run(LARAVEL);
    let project = Project::new_on("bistro", "mysql");
    let import = ["import", "--database-url", scratch.url(), "--prefix", "lv_"];
    let check = [&import[..], &["--check"]].concat();
    project.run(&import).exits(0);
    project.run(&check).exits(0);
    let path = "extensions/app/resources/articles.yaml";
    project.edit(path, "Rows of the table lv_articles", "What is printed");
    project.edit(path, "      default: 5\n", "      default: 7\n");
    project.edit(path, "\"store:admin\", ", "");
    project.run(&check).exits(0);
    scratch.run(
        "ALTER TABLE lv_articles ADD COLUMN subtitle VARCHAR(80) NULL, DROP COLUMN note, RENAME COLUMN since TO first_year; \
         DROP TABLE lv_cache",
    );
    let before = project.snapshot();
    let drift = project.run(&check).exits(5);
    let drift = drift.says("subtitle").says("first_year");
    drift.says("caches.yaml  its table is not in the database any more");
    assert_eq!(before, project.snapshot(), "--check writes nothing");
    // The manifest of the dropped table is left to remove.
    project.run(&import).exits(3).says("your edits are kept");
    let destroy = ["destroy", "resource", "app", "caches"];
    project.run(&destroy).exits(0);
    project.run(&import).exits(0);
    let articles = project.read(path);
    for part in [
        "description: What is printed\n",
        "default: 7\n",
        "subtitle:\n      type: \"string(80)\"\n      nullable: true\n",
        "first_year:\n      type: integer\n",
        "actions: [\"index:admin\", \"show:admin\", \"update:admin\", \"destroy:admin\"]\n",
    ] {
        assert!(articles.contains(part), "{part}\n{articles}");
    }
    for gone in ["    note:\n", "    since:\n", "- since\n", "- note\n"] {
        assert!(!articles.contains(gone), "{gone}\n{articles}");
    }
    project.run(&["manifest", "check"]).exits(0);
    project.run(&check).exits(0);
    let before = project.snapshot();
    project.run(&import).exits(0);
    assert_eq!(before, project.snapshot(), "a second import writes nothing");
}
