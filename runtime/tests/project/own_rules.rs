//! Rules and errors of the project's own (docs/guide/rules.md, docs/guide/custom-logic.md).

use formwork::{prelude::*, rules::*};

use super::{config, start, workshop};

#[test]
fn rules_of_the_project_run_beside_the_others() {
    let service = start(workshop::service());
    let client = service.guest();
    let body = json!({"name": "", "code": "none", "labels": [2, 1, "x"]});
    let refused = client.post("/api/parts", body);
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(
        refused.json["errors"],
        json!({
            "name": ["The name field is required."],
            "code": ["The code is not one of the catalogue."],
            "labels.1": ["The labels.1 field must be an even number."],
            "labels.2": ["The labels.2 field must be an integer."],
        }),
        "all at once, and a value that broke another rule is not checked"
    );
    let short = client.post("/api/parts", json!({"name": "a", "code": "x"}));
    let said = json!(["The code field must be at least 3 characters."]);
    assert_eq!(short.json["errors"]["code"], said);
    for code in [json!(null), json!("two"), json!("four")] {
        let body = json!({"name": "Bolt", "price": "1.00", "code": code});
        let stored = client.post("/api/parts", body);
        assert_eq!(stored.status, 201, "{stored}");
    }
    let documented = client.header("Content-Type", "application/vnd.api+json");
    let documented = documented.header("Accept", "application/vnd.api+json");
    let body = json!({"data": {"type": "parts", "attributes": {"name": "a", "code": "none"}}});
    let refused = documented.post("/api/parts", body);
    let pointer = &refused.json["errors"][0]["source"]["pointer"];
    assert_eq!(pointer, "/data/attributes/code", "{refused}");
}

#[test]
fn a_rule_knows_caller_and_body() {
    let service = start(workshop::service());
    let body = json!({"name": "Bolt", "price": "1.00", "code": "FREE"});
    assert_eq!(service.guest().post("/api/parts", body.clone()).status, 422);
    assert_eq!(service.admin().post("/api/parts", body).status, 201);
    let absent = service
        .guest()
        .patch("/api/parts/1", json!({"price": "2.00"}));
    assert_eq!(
        absent.status, 202,
        "what is not sent is not checked: {absent}"
    );
}

#[test]
fn routes_of_a_project_use_registered_rules() {
    let service = start(workshop::service());
    let client = service.guest();
    assert_eq!(client.post("/api/counts", json!({"count": 4})).status, 200);
    let refused = client.post("/api/counts", json!({"count": 5}));
    assert_eq!(refused.status, 422, "{refused}");
    let said = "The count field must be an even number.";
    assert_eq!(refused.json["errors"]["count"][0], said);
}

#[test]
fn errors_have_a_status_and_a_code_in_both_renderings() {
    let service = start(workshop::service());
    let client = service.guest();
    let declined = json!({
        "message": "The card was declined.", "status_code": 402, "code": "card_declined",
    });
    let card = json!({"name": "Card", "price": "1.00"});
    let of_hook = client.post("/api/parts", card.clone());
    assert_eq!((of_hook.status, &of_hook.json), (402, &declined));
    let of_route = client.post("/api/counts", json!({"count": 402}));
    assert_eq!((of_route.status, &of_route.json), (402, &declined));
    let gone = json!({"name": "Bolt", "code": "GONE"});
    let of_rule = client.post("/api/parts", gone);
    assert_eq!(
        (of_rule.status, &of_rule.json["code"]),
        (410, &json!("catalogue_gone"))
    );
    let document = service.guest().header("Accept", "application/vnd.api+json");
    let of_hook = document.post("/api/parts", card);
    assert_eq!(of_hook.status, 402, "{of_hook}");
    let error = &of_hook.json["errors"][0];
    assert_eq!(error["code"], "card_declined");
    assert_eq!(
        (&error["status"], &error["title"]),
        (&json!("402"), &json!("Payment Required"))
    );
    assert_eq!(error["detail"], "The card was declined.");
    let plain = service.guest().get("/api/parts/9");
    assert!(plain.json.get("code").is_none(), "{plain}");
}

/// Registers routes with these rules.
struct Odd(&'static [Attribute], &'static [&'static str]);

impl Extension for Odd {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn rule_words(&self) -> Vec<CustomRule> {
        let word = |name: &&'static str| {
            let check = async |_: &Context, _: &Json| Ok(true);
            CustomRule::new(name, "The :attribute is odd.", check)
        };
        self.1.iter().map(word).collect()
    }

    fn routes(&self) -> Vec<formwork::http::route::Route> {
        let answer = async |_: Context| Ok(Response::no_content());
        vec![formwork::http::route::Route::post("/odd", Allow::All, answer).rules(self.0)]
    }
}

#[test]
fn a_service_with_an_unknown_rule_does_not_start() {
    const MISSPELT: &[Attribute] = &[attribute("iban", &[custom("shop.ibn")])];
    let refusal = |odd: Odd| {
        let extensions: Vec<Box<dyn Extension>> = vec![Box::new(workshop::Workshop), Box::new(odd)];
        let registry = formwork::extension::registry(&extensions);
        registry.err().expect("mistakes").join("\n")
    };
    let said = refusal(Odd(MISSPELT, &["shop.iban", "shop.vat"]));
    assert!(said.contains("the rule `custom:shop.ibn`"), "{said}");
    assert!(said.contains("did you mean `shop.iban`?"), "{said}");
    let said = refusal(Odd(&[], &["iban", "workshop.even"]));
    assert!(
        said.contains("name it after its extension, `shop.iban`"),
        "{said}"
    );
    assert!(
        said.contains("two extensions register the rule `workshop.even`"),
        "{said}"
    );
    let config = config("");
    let service = formwork::service(vec![Box::new(Odd(MISSPELT, &[]))]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let started = runtime.block_on(service.start(config));
    let said = started.err().expect("it does not start").to_string();
    assert!(said.contains("shop.ibn"), "{said}");
}
