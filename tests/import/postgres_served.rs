//! A PostgreSQL database that exists, served: imported, poured, compiled, and asked over HTTP.

use formwork_tests::client::{Answer, Client};
use formwork_tests::program::Program;
use formwork_tests::project::Project;
use formwork_tests::server::Database;
use serde_json::{Value, json};

use crate::{ERP, import, own_schema, postgres_constraints, postgres_types};

pub const ANCHOR: &str = "00000000-0000-4000-8000-000000000001";

#[test]
fn a_server_s_database_is_a_service_in_two_commands() {
    let Some(erp) = Database::on("postgres") else {
        return;
    };
    erp.run(ERP);
    let project = Project::new_on("erp", "postgres");
    import(&project, &erp, &["--ext", "hotel"]).exits(0);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert!(
        !project.has("extensions/hotel/migrations"),
        "no table of the database is migrated"
    );
    let program = Program::build(&project, "erp").with("DATABASE_URL", &erp.url());
    let served = program.start();
    assert_eq!(served.guest().get("/api/houses").status, 401);
    let admin = served.admin();
    reads(&admin);
    postgres_types::enums(&admin);
    postgres_types::arrays(&admin);
    defaults(&admin);
    refusals(&admin);
    others(&admin);
    odd_words(&admin);
    unreadable(&admin, &erp);
    untouched(&admin, &erp);
    absent(&admin);
    postgres_constraints::deferred(&admin);
    postgres_constraints::numbers(&admin);
    postgres_constraints::lengths(&admin);
    own_schema::ask(&project, program);
}

pub fn data(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer}");
    answer.json["data"].clone()
}

/// Lists, filters, includes, single records, views.
fn reads(admin: &Client) {
    let houses = admin.get("/api/houses?filter[state]=open&include=rooms");
    let all = data(&houses, 200);
    assert_eq!(all.as_array().map(Vec::len), Some(1), "{houses}");
    assert_eq!(all[0]["name"], "Anchor", "{houses}");
    assert_eq!(all[0]["rooms"][0]["label"], "A1", "{houses}");
    assert_eq!(all[0]["rooms"][0]["area"], "25.0000", "{houses}");
    let room = admin.get("/api/rooms/1?include=house,amenities,guests");
    let record = data(&room, 200);
    assert_eq!(record["house"]["slug"], "anchor", "{room}");
    assert_eq!(record["amenities"][0]["name"], "bath", "{room}");
    assert_eq!(record["guests"][0]["email"], "Ann@example.com", "{room}");
    let sizes = data(&admin.get(&format!("/api/house_sizes/{ANCHOR}")), 200);
    assert_eq!(sizes["rooms"], 1, "a materialised view: {sizes}");
    let invoice = data(
        &admin.get("/api/invoices/1?include=guest,invoice_items,products"),
        200,
    );
    assert_eq!(
        invoice["products"].as_array().map(Vec::len),
        Some(2),
        "{invoice}"
    );
    let mut items = invoice["invoice_items"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    items.sort_by_key(|item| item["quantity"].as_i64());
    let items: Vec<_> = items
        .iter()
        .map(|item| (&item["id"], &item["quantity"]))
        .collect();
    assert_eq!(
        items,
        [(&json!("JAM-1"), &json!(1)), (&json!("TEA-1"), &json!(2))],
        "{invoice}"
    );
    let sold = data(
        &admin.get("/api/products/TEA-1?include=invoice_items.invoice"),
        200,
    );
    assert_eq!(sold["invoice_items"][0]["invoice"]["number"], 100, "{sold}");
    assert_eq!(sold["cost"], "2.50", "{sold}");
    let tea = data(
        &admin.get("/api/products?filter[title]=Tea&sort=title"),
        200,
    );
    assert_eq!(tea[0]["id"], "TEA-1", "{tea}");
    let anchor = data(&admin.get("/api/houses?search=anch"), 200);
    assert_eq!(anchor[0]["name"], "Anchor", "{anchor}");
    let view = data(&admin.get("/api/open_houses"), 200);
    assert_eq!(view[0]["feeling"], "calm", "{view}");
    assert_eq!(admin.post("/api/open_houses", &json!({})).status, 405);
}

/// What the database sets where nothing was sent: defaults, sequences, keys, triggers.
fn defaults(admin: &Client) {
    let house = data(&admin.post("/api/houses", &json!({ "name": "Crown" })), 201);
    assert!(
        house["seen"]
            .as_str()
            .is_some_and(|seen| seen.starts_with("20")),
        "{house}"
    );
    assert_eq!(
        (&house["state"], &house["sizes"]),
        (&json!("open"), &json!([])),
        "{house}"
    );
    assert_eq!(house["slug"], "crown", "the trigger's: {house}");
    let seen = json!({ "name": "Dove", "seen": "2020-02-03T04:05:06Z" });
    let house = data(&admin.post("/api/houses", &seen), 201);
    assert_eq!(house["seen"], seen["seen"], "{house}");
    let path = format!("/api/houses/{}", house["id"].as_str().expect("a uuid"));
    let house = data(&admin.patch(&path, &json!({ "name": "Eagle" })), 200);
    assert_eq!(
        (&house["slug"], &house["seen"]),
        (&json!("eagle"), &seen["seen"]),
        "{house}"
    );
    let null = json!({ "seen": null });
    let answer = admin.patch(&path, &null);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(answer.json["errors"]["seen"].is_array(), "{answer}");
    let null = json!({ "name": "Fox", "seen": null });
    let house = data(&admin.post("/api/houses", &null), 201);
    assert!(house["seen"].is_string(), "as if it was not sent: {house}");
    let room = json!({ "house_id": ANCHOR, "label": "B2", "size": "10", "amenities": [1, 2] });
    let room = data(&admin.post("/api/rooms?include=amenities", &room), 201);
    assert_eq!(
        (&room["temper"], &room["area"]),
        (&json!("calm"), &json!("20.0000")),
        "{room}"
    );
    assert_eq!(
        room["amenities"].as_array().map(Vec::len),
        Some(2),
        "{room}"
    );
    let room = format!("/api/rooms/{}", room["id"]);
    let smaller = data(
        &admin.patch(&room, &json!({ "size": "4", "area": "99" })),
        200,
    );
    assert_eq!(smaller["area"], "8.0000", "{smaller}");
    let invoice = data(&admin.post("/api/invoices", &json!({ "guest_id": 1 })), 201);
    assert_eq!(invoice["number"], 101, "{invoice}");
    assert!(invoice["due"].is_string(), "{invoice}");
    let product = json!({ "sku": "EGG-1", "title": "Egg", "cost": "0.40" });
    assert_eq!(
        data(&admin.post("/api/products", &product), 201)["id"],
        "EGG-1"
    );
    assert_eq!(admin.delete("/api/products/EGG-1").status, 204);
}

pub fn refused(admin: &Client, path: &str, body: &Value, column: &str) {
    let answer = admin.post(path, body);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(
        answer.json["errors"][column].is_array(),
        "{column}: {answer}"
    );
}

/// The database's constraints, as rules of the request and as the database tells them.
fn refusals(admin: &Client) {
    refused(admin, "/api/houses", &json!({}), "name");
    refused(
        admin,
        "/api/houses",
        &json!({ "name": "x", "stars": 6 }),
        "stars",
    );
    refused(
        admin,
        "/api/houses",
        &json!({ "name": "x".repeat(81) }),
        "name",
    );
    // A check that is no rule.
    refused(
        admin,
        "/api/houses",
        &json!({ "name": "x", "opened": "1940-01-01" }),
        "after_the_war",
    );
    let room = |house: &str| json!({ "house_id": house, "label": "A1" });
    refused(
        admin,
        "/api/rooms",
        &room("00000000-0000-4000-8000-00000000ffff"),
        "house_id",
    );
    refused(admin, "/api/rooms", &room(ANCHOR), "house_id");
    refused(
        admin,
        "/api/guests",
        &json!({ "email": "ANN@example.com" }),
        "email",
    );
    refused(
        admin,
        "/api/invoices",
        &json!({ "guest_id": 1, "paid": true }),
        "invoices_check",
    );
    refused(
        admin,
        "/api/products",
        &json!({ "sku": "A", "title": "A", "cost": "-1" }),
        "cost",
    );
    let dear = json!({ "sku": "A", "title": "A", "cost": "123456789.00" });
    refused(admin, "/api/products", &dear, "cost");
    let room = admin.delete("/api/guests/1");
    assert_eq!(room.status, 409, "{room}");
}

/// Keys in mixed case, keys that are those of another table, numbers beyond a column.
fn others(admin: &Client) {
    let user = json!({ "UserName": "bo", "created_on": "2026-01-02T03:04:05Z" });
    let user = data(&admin.post("/api/users", &user), 201);
    assert_eq!(user["id"], 2, "{user}");
    let found =
        admin.get("/api/users?filter[Id]=2&sort=-Id&filter[created_on][gte]=2026-01-02T03:04:05Z");
    assert_eq!(data(&found, 200)[0]["UserName"], "bo", "{found}");
    let shown = admin.get("/api/users/2?include=tasks");
    assert_eq!(data(&shown, 200)["UserName"], "bo", "{shown}");
    let task = json!({ "user_id": 2, "label": "x" });
    let task = data(&admin.post("/api/tasks?include=user", &task), 201);
    assert_eq!(task["user"]["UserName"], "bo", "{task}");
    refused(
        admin,
        "/api/tasks",
        &json!({ "room_id": 9_000_000_000_i64 }),
        "room_id",
    );
    let profile = data(&admin.get("/api/profiles/1?include=guest"), 200);
    assert_eq!(profile["guest"]["email"], "Ann@example.com", "{profile}");
    let guest = data(&admin.get("/api/guests/1?include=profile"), 200);
    assert_eq!(guest["profile"]["bio"], "x", "{guest}");
    assert_eq!(admin.post("/api/profiles", &json!({})).status, 405);
    for (column, value) in [
        ("bio", json!("x".repeat(20_001))),
        ("level", json!(3)),
        ("kind", json!("User")),
        ("shade", json!("dark")),
    ] {
        let answer = admin.patch("/api/profiles/1", &json!({ column: value }));
        assert_eq!(answer.status, 422, "{answer}");
        assert!(
            answer.json["errors"][column].is_array(),
            "{column}: {answer}"
        );
    }
}

/// An enum with a word that no manifest can list.
fn odd_words(admin: &Client) {
    let shade = json!({ "shade": "dark, very" });
    let profile = data(&admin.patch("/api/profiles/1", &shade), 200);
    assert_eq!(profile["shade"], "dark, very", "{profile}");
    for query in ["filter[shade]=dark,%20very", "search=very"] {
        let found = admin.get(&format!("/api/profiles?{query}"));
        assert_eq!(found.status, 200, "{query}: {found}");
    }
    // Texts of a fixed length, a domain over an enum, and a float of single precision.
    for query in [
        "filter[label]=way",
        "filter[label]=way%20%20%20",
        "search=way",
    ] {
        let found = data(&admin.get(&format!("/api/signs?{query}")), 200);
        assert_eq!(found[0]["id"], "exit", "{query}: {found}");
    }
    let filtered = admin.get("/api/signs?filter[temper]=calm");
    assert_eq!(filtered.status, 400, "{filtered}");
    let sign = json!({ "code": "stop", "temper": "loud", "weight": 2.5, "height": 2 });
    let sign = data(&admin.post("/api/signs", &sign), 201);
    assert_eq!(
        (&sign["temper"], &sign["weight"]),
        (&json!("loud"), &json!(2.5))
    );
    let heavy = json!({ "code": "halt", "weight": 1e40 });
    assert_eq!(admin.post("/api/signs", &heavy).status, 422);
    refused(
        admin,
        "/api/signs",
        &json!({ "code": "halt", "height": -1 }),
        "height",
    );
}

/// Values that the service cannot read.
fn unreadable(admin: &Client, erp: &Database) {
    let leases = data(&admin.get("/api/leases"), 200);
    let columns = (&leases[0]["opened"], &leases[0]["fee"]);
    assert_eq!(columns, (&json!("2026-01-01"), &json!("9.50")), "{leases}");
    // An administrator reads every column whose own name is no secret's.
    assert_eq!(leases[0]["visit"], "hush", "{leases}");
    let lease = data(
        &admin.post(
            "/api/leases",
            &json!({ "fee": "1.00", "note": "", "title": "y" }),
        ),
        201,
    );
    assert_eq!(lease["fee"], "1.00", "{lease}");
    refused(
        admin,
        "/api/leases",
        &json!({ "note": "", "title": "" }),
        "title",
    );
    refused(admin, "/api/leases", &json!({ "title": "y" }), "note");
    let object = json!({ "note": "", "title": "y", "words": { "a": "x" } });
    refused(admin, "/api/leases", &object, "words");
    for id in [1, 2] {
        let ticket = data(&admin.post("/api/tickets", &json!({})), 201);
        assert_eq!(ticket["id"], id, "a row of its defaults alone: {ticket}");
    }
    // One that is there since the import.
    erp.run("UPDATE leases SET opened = 'infinity' WHERE fee = 1");
    let path = format!("/api/leases/{}", lease["id"]);
    assert_eq!(admin.get(&path).status, 500);
    erp.run("UPDATE leases SET opened = NULL");
    data(&admin.get(&path), 200);
}

/// Columns that the API does not show keep their values.
fn untouched(admin: &Client, erp: &Database) {
    let guest = data(
        &admin.post("/api/guests", &json!({ "email": "bo@example.com" })),
        201,
    );
    assert!(
        guest.get("api_key").is_none() && guest.get("token_hash").is_none(),
        "{guest}"
    );
    let path = format!("/api/guests/{}", guest["id"]);
    erp.run("UPDATE guests SET token_hash = 'h', api_key = 'k' WHERE email = 'bo@example.com'");
    data(
        &admin.patch(
            &path,
            &json!({ "email": "Bo@example.com", "token_hash": "stolen" }),
        ),
        200,
    );
    let found = data(&admin.get("/api/guests?filter[email]=BO@EXAMPLE.COM"), 200);
    assert_eq!(
        found[0]["email"], "Bo@example.com",
        "compared without case: {found}"
    );
    let path = format!("/api/houses/{ANCHOR}");
    data(&admin.patch(&path, &json!({ "name": "The Anchor" })), 200);
    erp.run(
        "DO $$ BEGIN \
         ASSERT (SELECT token_hash = 'h' AND api_key = 'k' FROM guests WHERE email = 'bo@example.com'); \
         ASSERT (SELECT grid = '{{1,2},{3,4}}' AND place ~= '(1,2)' FROM houses WHERE name = 'The Anchor'); \
         END $$",
    );
}

/// What was refused has no route.
fn absent(admin: &Client) {
    for key in [
        "nights",
        "journals",
        "totals",
        "house_labels",
        "hiddens",
        "amenity_rooms",
        "invoice_items",
    ] {
        assert_eq!(admin.get(&format!("/api/{key}")).status, 404, "{key}");
    }
}
