//! Rules and errors of the project's own (docs/guide/rules.md, docs/guide/custom-logic.md).

use formwork::{http::route::Route, prelude::*, rules::*};

use super::{JSON_API, accept_documents, create, start, start_error, workshop};

#[test]
fn rules_of_the_project_run_beside_the_others() {
    let service = start(workshop::service());
    let client = service.guest();
    let body = json!({"name": "", "code": "none", "labels": [2, 1, "x"]});
    let refused = client.post("/api/parts", body);
    assert_eq!(refused.status, 422, "{refused}");
    // All at once, and a value that broke another rule is not checked.
    let errors = json!({
        "name": ["The name field is required."],
        "code": ["The code is not one of the catalogue."],
        "labels.1": ["The labels.1 field must be an even number."],
        "labels.2": ["The labels.2 field must be an integer."],
    });
    assert_eq!(refused.json["errors"], errors);
    let short = client.post("/api/parts", json!({"name": "a", "code": "x"}));
    let said = json!(["The code field must be at least 3 characters."]);
    assert_eq!(short.json["errors"]["code"], said);
    for code in [json!(null), json!("two"), json!("four")] {
        let body = json!({"name": "Bolt", "price": "1.00", "code": code});
        create(&client, "/api/parts", body);
    }
    let documented = accept_documents(&client).header("Content-Type", JSON_API);
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
    create(&service.admin(), "/api/parts", body);
    // An attribute that is not sent is not checked.
    let price = json!({"price": "2.00"});
    let updated = service.guest().patch("/api/parts/1", price);
    assert_eq!(updated.status, 202, "{updated}");
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
    for (path, body) in [
        ("/api/parts", card.clone()),
        ("/api/counts", json!({"count": 402})),
    ] {
        let answer = client.post(path, body);
        assert_eq!((answer.status, &answer.json), (402, &declined), "{path}");
    }
    let gone = client.post("/api/parts", json!({"name": "Bolt", "code": "GONE"}));
    assert_eq!(gone.status, 410, "{gone}");
    assert_eq!(gone.json["code"], "catalogue_gone");
    let document = accept_documents(&client).post("/api/parts", card);
    assert_eq!(document.status, 402, "{document}");
    let error = &document.json["errors"][0];
    for (member, expected) in [
        ("code", "card_declined"),
        ("status", "402"),
        ("title", "Payment Required"),
        ("detail", "The card was declined."),
    ] {
        assert_eq!(error[member], expected, "{document}");
    }
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

    fn routes(&self) -> Vec<Route> {
        let answer = async |_: Context| Ok(Response::no_content());
        vec![Route::post("/odd", Allow::All, answer).rules(self.0)]
    }
}

#[test]
fn a_service_with_an_unknown_rule_does_not_start() {
    const MISSPELT: &[Attribute] = &[attribute("iban", &[custom("shop.ibn")])];
    let mistakes = |odd: Odd| {
        let extensions: Vec<Box<dyn Extension>> = vec![Box::new(workshop::Workshop), Box::new(odd)];
        let registry = formwork::extension::registry(&extensions);
        registry.err().expect("mistakes").join("\n")
    };
    let misspelt = mistakes(Odd(MISSPELT, &["shop.iban", "shop.vat"]));
    let unnamed = mistakes(Odd(&[], &["iban", "workshop.even"]));
    let alone = formwork::service(vec![Box::new(Odd(MISSPELT, &[]))]);
    for (message, part) in [
        (&misspelt, "the rule `custom:shop.ibn`"),
        (&misspelt, "did you mean `shop.iban`?"),
        (&unnamed, "name it after its extension, `shop.iban`"),
        (&unnamed, "two extensions register the rule `workshop.even`"),
        (&start_error("", alone), "shop.ibn"),
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}
