//! The restaurant is as it describes itself (docs/contract.md, "Routes"): every documented request is made,
//! and what comes back is held against the document.

mod bodies;

use std::{collections::BTreeSet, sync::OnceLock, thread};

use formwork_tests::{
    client::{Answer, Client},
    restaurant::{Restaurant, shared},
};
use serde_json::{Value, json};

use crate::{
    described::{Described, Operation, other_names, sample},
    payloads,
    rendering::BOTH,
};

const RESOURCES: [&str; 8] = [
    "categories",
    "menus",
    "orders",
    "coupons",
    "locations",
    "reviews",
    "reservations",
    "customers",
];

fn description() -> &'static Described {
    static DESCRIBED: OnceLock<Described> = OnceLock::new();
    DESCRIBED.get_or_init(|| {
        let answer = shared().guest().get("/api/openapi.json");
        assert_eq!(answer.status, 200, "{answer}");
        Described::new(answer.json)
    })
}

/// What is wrong with an answer.
fn wrong(one: Operation<'_>, answer: &Answer) -> Option<String> {
    let media = answer.header("content-type");
    description().wrong(one, answer.status, media, &answer.body)
}

/// Asserts that an answer is described.
fn fits(one: Operation<'_>, request: &str, answer: &Answer) {
    if let Some(wrong) = wrong(one, answer) {
        panic!(
            "{} {request}: {wrong}\n{answer}",
            one.operation["operationId"]
        );
    }
}

fn callers() -> [Client; 3] {
    [shared().guest(), shared().alice(), shared().admin()]
}

/// A record of the resource, stored for this test.
fn stored(resource: &str) -> i64 {
    let admin = shared().admin();
    let order = match resource {
        "reviews" => stored("orders"),
        _ => 0,
    };
    let mut body = payloads::store(resource, order);
    if resource == "reviews" {
        body["customer_id"] = json!(1);
    }
    let answer = admin.post(&format!("/api/{resource}"), &body);
    assert_eq!(answer.status, 201, "{resource}: {answer}");
    answer.json["data"]["id"].as_i64().expect("an id")
}

fn looks() -> impl Iterator<Item = Operation<'static>> {
    let all = description().operations().into_iter();
    all.filter(|one| one.method == "get")
}

#[test]
fn every_route_is_described() {
    let (ok, lines, errors) = shared().console(&["routes"]);
    assert!(ok, "{errors}");
    let mut routed: BTreeSet<(String, String, String)> = BTreeSet::new();
    for line in lines.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for method in words[0].split(',') {
            let allow = words[3].to_owned();
            routed.insert((method.to_lowercase(), words[1].to_owned(), allow));
        }
    }
    let own = [
        "/api/token",
        "/api/token/user",
        "/health/live",
        "/health/ready",
    ];
    let described: BTreeSet<_> = description()
        .operations()
        .into_iter()
        .filter(|one| !own.contains(&one.path))
        .map(|one| {
            let context = one.operation["x-context"].as_str().expect("a context");
            (
                one.method.to_owned(),
                one.path.to_owned(),
                context.to_owned(),
            )
        })
        .collect();
    assert_eq!(described, routed);
}

#[test]
fn every_schema_is_one_that_programs_have_a_name_for() {
    assert_eq!(description().nameless(), [""; 0]);
}

/// What a transformer collects from relations is described, though no record is there to look at.
#[test]
fn items_of_lists_in_a_record_are_described() {
    let schemas = &description().document["components"]["schemas"];
    let order = &schemas["orders.record"]["properties"];
    let line = &order["order_menus"]["items"]["properties"];
    assert_eq!(line["quantity"]["type"], "integer", "{line}");
    assert_eq!(line["price"]["format"], "decimal", "{line}");
    let groups = &line["menu_options"];
    assert!(
        groups["properties"].is_null(),
        "its names are data: {groups}"
    );
    let value = &groups["additionalProperties"]["items"]["properties"];
    assert_eq!(value["order_option_name"]["type"], "string", "{line}");
    let total = &order["order_totals"]["items"]["properties"];
    assert_eq!(total["code"]["type"], "string", "{total}");
}

#[test]
fn the_console_prints_the_same_description_as_the_service() {
    let (ok, printed, errors) = shared().console(&["openapi"]);
    assert!(ok, "{errors}");
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    let mut answered = description().document.clone();
    // This service has no limit on requests, and the console shows none either.
    answered["servers"] = printed["servers"].clone();
    assert!(printed == answered, "they differ");
}

#[test]
fn every_look_is_answered_as_described() {
    let mut fine = 0;
    for one in looks() {
        let has_id = one.path.contains("{id}");
        for id in if has_id { &["1", "abc"][..] } else { &[""][..] } {
            let path = one.path.replace("{id}", id);
            for caller in callers() {
                for rendering in BOTH {
                    for tail in ["", "?include=nothing"] {
                        let answer = rendering.get(&caller, &format!("{path}{tail}"));
                        fits(one, &format!("{rendering:?} {tail}"), &answer);
                        fine += usize::from(answer.status == 200);
                    }
                }
            }
            let headers = [("Accept", "text/html")];
            let answer = shared().admin().send("GET", &path, &headers, None);
            fits(one, "text/html", &answer);
            fits(
                one,
                "a wrong token",
                &shared().with_token("1|no").get(&path),
            );
        }
    }
    assert!(fine > 40, "{fine}");
}

/// Parameters of the restaurant's own take special values: a list of ids, an order type, a place.
/// Without one, the parameter has no effect alone.
const WORDS: [(&str, &str); 4] = [
    ("location", "1"),
    ("orderType", "delivery"),
    ("dateTimeFilter", ""),
    ("position", ""),
];

/// Orders that need a place to measure from.
const DISTANCE: &str = "&position[latitude]=51.5&position[longitude]=0";

/// A query string for each value that a parameter is described to take, under each of its names.
fn queries(one: Operation<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for parameter in description().parameters(one) {
        let name = parameter["name"].as_str().expect("a name");
        if parameter["in"] == "query" {
            let values = values(name, &parameter["schema"]);
            let names = [vec![name.to_owned()], other_names(name)].concat();
            let under = |name: String| values.iter().map(move |value| format!("{name}={value}"));
            all.extend(names.into_iter().flat_map(under));
        }
    }
    all
}

fn values(name: &str, schema: &Value) -> Vec<String> {
    if let Some((_, word)) = WORDS.iter().find(|(known, _)| *known == name) {
        return [*word]
            .iter()
            .filter(|word| !word.is_empty())
            .map(ToString::to_string)
            .collect();
    }
    if name.starts_with("page[") {
        return vec![String::new()];
    }
    let items = &description().resolved(&schema["items"])["enum"];
    let Some(options) = items.as_array().or(schema["enum"].as_array()) else {
        let value = sample(description(), schema).expect("a value");
        let value = value
            .as_array()
            .map_or(value.clone(), |items| items[0].clone());
        return vec![value.as_str().map_or(value.to_string(), str::to_owned)];
    };
    let texts: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
    let all = items.is_array().then(|| texts.join(","));
    // One name that is unknown refuses them all.
    let alone = !name.starts_with("fields[");
    let each = texts.iter().filter(|_| alone).map(ToString::to_string);
    each.chain(all).collect()
}

/// Sends all parameters of a read; returns the number of requests, and the refused ones.
fn ask(one: Operation<'_>, admin: &Client) -> (usize, Vec<String>) {
    let path = one.path.replace("{id}", "1");
    let is_list = !one.path.contains("{id}");
    let (mut asked, mut refused) = (0, Vec::new());
    for query in queries(one) {
        // What a list takes, its records do: the list's own parameters are more.
        if !is_list && query.starts_with("fields[") {
            continue;
        }
        let both = query.starts_with("include=") || query.starts_with("fields[");
        let renderings = if both { &BOTH[..] } else { &BOTH[..1] };
        let more = match query.split('=').next() {
            Some("sort") if query.contains("distance") => DISTANCE,
            // All relations of all records exceed the limit of included records.
            Some("include") if is_list => "&pageLimit=3",
            _ => "",
        };
        for rendering in renderings {
            let path = format!("{path}?{query}{more}");
            let answer = rendering.get(admin, &path);
            fits(one, &path, &answer);
            refused.extend((answer.status != 200).then(|| format!("{path}: {answer}")));
            asked += 1;
        }
    }
    (asked, refused)
}

/// The number of concurrent clients.
const CLIENTS: usize = 3;

#[test]
fn every_parameter_is_accepted_as_described() {
    // In a service of its own: what other tests store would be included, too, and be too much.
    let service = Restaurant::start();
    let all: Vec<Operation<'_>> = looks().collect();
    let asking: Vec<_> = all
        .chunks(all.len().div_ceil(CLIENTS))
        .map(|some| some.to_vec())
        .map(|some| (some, service.admin()))
        .map(|(some, admin)| {
            let ask = move |one| ask(one, &admin);
            thread::spawn(move || some.into_iter().map(ask).collect::<Vec<_>>())
        })
        .collect();
    let outcomes = asking
        .into_iter()
        .flat_map(|it| it.join().expect("answers as described"));
    let (asked, refused): (Vec<usize>, Vec<Vec<String>>) = outcomes.unzip();
    assert_eq!(refused.concat(), [""; 0]);
    assert!(asked.iter().sum::<usize>() > 1200, "{asked:?}");
}

#[test]
fn records_with_everything_included_are_as_described() {
    for resource in RESOURCES {
        let one = description().operation(&format!("{resource}.index"));
        let parameters = description().parameters(one);
        let include = parameters
            .iter()
            .find(|it| it["name"] == "include")
            .expect("includes");
        let paths = &description().resolved(&include["schema"]["items"])["enum"];
        let paths = paths.as_array().expect("paths");
        let paths: Vec<&str> = paths.iter().filter_map(Value::as_str).collect();
        for rendering in BOTH {
            for caller in callers() {
                let path = format!("/api/{resource}?pageLimit=5&include={}", paths.join(","));
                fits(one, &path, &rendering.get(&caller, &path));
                let alone = rendering.get(&caller, &format!("/api/{resource}?pageLimit=100"));
                fits(one, "all", &alone);
            }
        }
    }
}
