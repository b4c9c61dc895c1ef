//! A MariaDB database as Laravel leaves it, and the reference's tables beside it: imported into two extensions of one
//! project, poured, compiled, and asked over HTTP.

use formwork_tests::client::{Answer, Client};
use formwork_tests::program::Program;
use formwork_tests::project::Project;
use formwork_tests::server::Database;
use serde_json::{Value, json};

use crate::{LARAVEL, REFERENCE, import, legacy, triggers};

#[test]
fn a_database_of_laravel_and_the_reference_are_a_service() {
    let Some(database) = Database::on("mysql") else {
        return;
    };
    database.run(LARAVEL);
    database.run(triggers::MARIADB);
    let project = Project::new_on("journal", "mysql");
    let press = ["--ext", "press", "--prefix", "lv_"];
    import(&project, &database, &press).exits(0);
    database.run(REFERENCE);
    let tables = reference_tables().join(",");
    let house = ["--ext", "house", "--prefix", "ti_", "--tables", &tables];
    let ran = import(&project, &database, &house).exits(0);
    assert!(!ran.output.contains(": not imported: "), "{}", ran.output);
    let pivots = ran
        .output
        .matches(": a pivot table, imported as a ")
        .count();
    assert_eq!(pivots, 10, "{}", ran.output);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    let program = Program::build(&project, "journal").with("DATABASE_URL", &database.url());
    let served = program.start();
    assert_eq!(served.guest().get("/api/articles").status, 401);
    let admin = served.admin();
    reads(&admin);
    writes(&admin);
    characters(&admin);
    refusals(&admin, &database);
    reference(&project, &admin);
    triggers::ask(&admin);
    let body = json!({ "voucher_id": legacy::UPPER_CASE_KEY });
    let stored = admin.post("/api/voucher_uses", &body);
    assert_eq!(stored.status, 201, "{stored}");
    legacy::ask_for_upper_case_keys(&admin, &[1, 2]);
}

fn reference_tables() -> Vec<&'static str> {
    let after = REFERENCE.split("CREATE TABLE ").skip(1);
    after.filter_map(|text| text.split(' ').next()).collect()
}

fn reads(admin: &Client) {
    let path = "/api/articles?filter[topic_id]=1&include=topic,member,labels,pictures";
    let articles = admin.get(path);
    assert_eq!(articles.status, 200, "{articles}");
    assert_eq!(articles.ids(), [1], "{articles}");
    let ramen = &articles.records()[0];
    let expected = json!({
        "title": "Ramen", "state": "printed", "stars": 5, "price": "9.5000", "options": { "hot": true },
        "price_cents": 950, "badges": "new,hot", "is_open": true, "flags": 63, "since": 1999, "shown_on": "2026-01-01",
    });
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&ramen[name], value, "{name}: {articles}");
    }
    assert_eq!(ramen["topic"]["topic_name"], "Soups", "{articles}");
    assert_eq!(ramen["member"]["email"], "ann@example.com", "{articles}");
    assert!(ramen["member"].get("password").is_none(), "{articles}");
    assert_eq!(
        ramen["labels"].as_array().map(Vec::len),
        Some(2),
        "{articles}"
    );
    assert_eq!(ramen["pictures"][0]["disk"], "public", "{articles}");
    for filter in [
        "is_open]=1&filter[flags]=63",
        "since]=1999",
        "state]=printed",
        "badges]=new,hot",
        "shown_on]=2026-01-01&filter[stars]=5",
    ] {
        let found = admin.get(&format!("/api/articles?filter[{filter}"));
        assert_eq!(
            (found.status, found.ids()),
            (200, vec![1]),
            "{filter}: {found}"
        );
    }
    let pictures = admin.get("/api/pictures?include=imageable&sort=id");
    assert_eq!(
        pictures.records()[0]["imageable"]["title"],
        "Ramen",
        "{pictures}"
    );
    assert_eq!(
        pictures.records()[1]["imageable"]["email"],
        "bo@example.com",
        "{pictures}"
    );
    assert_eq!(
        pictures.records()[2]["imageable"],
        Value::Null,
        "{pictures}"
    );
    let members = admin.get("/api/members?include=articles,labels&sort=id");
    let (ann, bo) = (&members.records()[0], &members.records()[1]);
    assert_eq!(ann["last_seen"], Value::Null, "a zero date: {members}");
    assert_eq!(bo["last_seen"], "2026-02-03T04:05:06Z", "{members}");
    assert_eq!(
        ann["articles"].as_array().map(Vec::len),
        Some(2),
        "{members}"
    );
    assert_eq!(
        ann["labels"][0]["name"], "hot",
        "a polymorphic pivot: {members}"
    );
    let seen = admin.get("/api/members?filter[last_seen][gt]=2026-01-01T00:00:00Z&sort=-last_seen");
    assert_eq!(seen.ids(), [2], "{seen}");
    let course = admin.get("/api/courses/1?include=members,course_members");
    assert_eq!(
        course.json["data"]["members"][0]["email"], "ann@example.com",
        "{course}"
    );
    assert_eq!(
        course.json["data"]["course_members"][0]["grade"], 90,
        "a pivot's own column: {course}"
    );
    let visits = admin.get("/api/visits?sort=visit_id");
    let (first, second) = (&visits.records()[0], &visits.records()[1]);
    assert_eq!(first["seen"], Value::Null, "{visits}");
    assert_eq!(second["seen"], "2026-02-03T04:05:06Z", "{visits}");
    assert_eq!(
        first["uuid"], "0b1f2a8e-1c1d-4b2a-9a55-0d9d6f1f1c11",
        "{visits}"
    );
    for name in ["half", "took", "hits"] {
        assert!(first.get(name).is_none(), "{name} is left out: {visits}");
    }
    assert_eq!(
        admin.get("/api/sessions/abc").json["data"]["ip_address"],
        "127.0.0.1"
    );
    let printed = admin.get("/api/printeds");
    assert_eq!(printed.records()[0]["title"], "Ramen", "{printed}");
    assert_eq!(admin.post("/api/printeds", &json!({})).status, 405);
}

fn writes(admin: &Client) {
    let body = json!({
        "title": "Pho", "topic_id": 2, "member_id": 2, "badges": "hot,a|b", "is_open": false, "flags": 3, "since": 2001,
        "options": ["a", 1], "labels": [1],
    });
    let stored = admin.post("/api/articles", &body);
    assert_eq!(stored.status, 201, "{stored}");
    let pho = &stored.json["data"];
    assert_eq!(pho["state"], "draft", "the database's default: {stored}");
    assert_eq!(
        pho["shown_on"], "2026-01-01",
        "the database's default: {stored}"
    );
    assert!(pho["created_at"].is_string(), "{stored}");
    let path = format!("/api/articles/{}", pho["id"]);
    let shown = admin.get(&format!("{path}?include=labels"));
    for name in ["badges", "is_open", "flags", "since", "options"] {
        assert_eq!(shown.json["data"][name], body[name], "{name}: {shown}");
    }
    assert_eq!(
        shown.json["data"]["labels"][0]["label_id"],
        Value::Null,
        "{shown}"
    );
    let updated = admin.patch(
        &path,
        &json!({ "stars": 4, "title": "Pho bo", "topic_id": 2 }),
    );
    assert_eq!(updated.status, 200, "{updated}");
    assert_eq!(admin.get(&path).json["data"]["stars"], 4);
    let price = admin.patch(&path, &json!({ "price": "2.5", "price_cents": 1 }));
    assert_eq!(price.status, 200, "{price}");
    assert_eq!(
        price.json["data"]["price_cents"], 250,
        "the database computes it: {price}"
    );
    assert_eq!(admin.delete(&path).status, 204);
    assert_eq!(admin.get(&path).status, 404);
    // The row's zero date stays while another column is written.
    let member = admin.patch(
        "/api/members/1",
        &json!({ "is_activated": true, "email": "ann@example.com" }),
    );
    assert_eq!(member.status, 200, "{member}");
    assert_eq!(member.json["data"]["last_seen"], Value::Null, "{member}");
}

fn refusals(admin: &Client, database: &Database) {
    let refused = |path: &str, column: &str, body: Value| {
        let answer: Answer = admin.post(path, &body);
        assert_eq!(answer.status, 422, "{column}: {body}: {answer}");
        assert!(
            answer.json["errors"][column].is_array(),
            "{column}: {answer}"
        );
    };
    let article = |name: &str, value: Value| {
        let mut body = json!({ "title": "x", "topic_id": 1 });
        body[name] = value;
        refused("/api/articles", name, body);
    };
    article("title", Value::Null);
    article("topic_id", json!(99));
    article("stars", json!(9));
    article("state", json!("burnt"));
    article("badges", json!("hot,cold"));
    article("since", json!(1850));
    article("flags", json!(64));
    // The database alone refuses these: a check that no rule says, and a character that latin1 lacks.
    article("price", json!("2000"));
    article("note", json!("\u{1F35C}"));
    refused(
        "/api/topics",
        "topic_name",
        json!({ "topic_name": "Soups" }),
    );
    refused(
        "/api/members",
        "last_seen",
        json!({ "email": "new@example.com" }),
    );
    // Both rows are named by others, but not together.
    database.run(
        "INSERT INTO lv_courses VALUES (2, 'Go'); INSERT INTO lv_course_member VALUES (2, 2, 1)",
    );
    let seat = json!({ "course_id": 1, "member_id": 2 });
    refused("/api/seats", "course_id", seat);
    assert_eq!(
        admin.delete("/api/topics/1").status,
        409,
        "articles depend on it"
    );
}

/// A column that lacks some characters, and a set that is empty.
fn characters(admin: &Client) {
    let stored = admin.post("/api/parcels", &json!({ "place": "Bonn", "note": "" }));
    assert_eq!(stored.status, 201, "{stored}");
    for name in ["marks", "note", "contact_email", "batch"] {
        assert_eq!(stored.json["data"][name], "", "{name}: {stored}");
    }
    let first = admin.get("/api/parcels/1");
    let share = &first.json["data"]["share"];
    assert!(
        share.as_str().is_some_and(|it| it.starts_with("0.25")),
        "{first}"
    );
    let unsent = admin.post("/api/parcels", &json!({ "place": "Lille" }));
    assert_eq!(unsent.status, 422, "{unsent}");
    assert!(unsent.json["errors"]["note"].is_array(), "{unsent}");
    let sent = |place: &str| json!({ "place": place, "note": "" });
    for body in [sent("Łódź"), sent("ghent")] {
        let refused = admin.post("/api/parcels", &body);
        assert_eq!(refused.status, 422, "{body}: {refused}");
        assert!(refused.json["errors"]["place"].is_array(), "{refused}");
    }
    let mood = |word: &str| json!({ "place": "Bath", "note": "", "mood": word });
    let refused = admin.post("/api/parcels", &mood("fine"));
    assert_eq!(refused.status, 422, "{refused}");
    assert!(refused.json["errors"]["mood"].is_array(), "{refused}");
    let stored = admin.post("/api/parcels", &mood("so, so"));
    assert_eq!(stored.json["data"]["mood"], "so, so", "{stored}");
    for query in ["filter[place]=%C5%81", "search=%C5%81"] {
        let answer = admin.get(&format!("/api/parcels?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
    }
}

/// Each resource answers with its rows, and with everything that it includes.
fn reference(project: &Project, admin: &Client) {
    let folder = project.root().join("extensions/house/resources");
    let mut keys: Vec<String> = std::fs::read_dir(folder)
        .expect("manifests")
        .map(|file| file.expect("a file").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    keys.sort();
    // Its 46 tables without ten pivots.
    assert_eq!(keys.len(), 36, "{keys:?}");
    // A pivot whose key is one of its sides and a number that leads nowhere.
    let path = "/api/reservations/1?include=reservation_tables.dining_table,dining_tables";
    let reservation = admin.get(path);
    let row = &reservation.json["data"]["reservation_tables"][0];
    assert_eq!(
        (&row["id"], &row["reservation_id"]),
        (&json!(1), &json!(1)),
        "{reservation}"
    );
    assert_eq!(row["dining_table"]["name"], "name1", "{reservation}");
    let tables = &reservation.json["data"]["dining_tables"];
    assert_eq!(tables[0]["name"], "name1", "{reservation}");
    // Servers that are not strict fill what was not sent: here the date of a row with zeros.
    let coupon = admin.get("/api/igniter_coupons/3");
    assert_eq!(coupon.json["data"]["name"], "Third", "{coupon}");
    assert_eq!(coupon.json["data"]["created_at"], Value::Null, "{coupon}");
    for key in &keys {
        let manifest = project.read(&format!("extensions/house/resources/{key}.yaml"));
        let list = admin.get(&format!("/api/{key}"));
        assert_eq!(list.status, 200, "{key}: {list}");
        assert!(list.records().len() >= 2, "{key}: {list}");
        let included = relations(&manifest);
        let list = admin.get(&format!("/api/{key}?include={}", included.join(",")));
        assert_eq!(list.status, 200, "{key}, {included:?}: {list}");
        for name in included {
            assert!(
                list.records()[0].get(name).is_some(),
                "{key}, {name}: {list}"
            );
        }
    }
}

/// The names of a manifest's relations, as the import writes them.
fn relations(manifest: &str) -> Vec<&str> {
    let after = manifest
        .split("\n  relations:\n")
        .nth(1)
        .unwrap_or_default();
    let own = after.lines().take_while(|line| line.starts_with("    "));
    let names = own.filter_map(|line| line.strip_prefix("    ")?.strip_suffix(':'));
    names.filter(|name| !name.starts_with([' ', '#'])).collect()
}
