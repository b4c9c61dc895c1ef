//! Access to includes, alternative abilities, owners that are keys, and attributes the caller may
//! not write: docs/contract.md, "Access".

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Service},
};

use super::{MEDIA, client, theatre::Theatre};

fn theatre() -> Service {
    Service::start(vec![Box::new(Theatre)])
}

/// 403 that names the include.
fn check_refused(answer: &Answer, media: &str, include: &str, asked: &str) {
    assert_eq!(answer.status, 403, "{asked}: {answer}");
    assert!(
        answer.body.contains(&format!("`{include}`")),
        "{asked}: {answer}"
    );
    if media == MEDIA[1] {
        let source = &answer.json["errors"][0]["source"];
        assert_eq!(*source, json!({"parameter": "include"}), "{asked}");
    }
}

/// Callers that may include each relation: a guest, a customer, an administrator, and tokens for
/// halls only.
const ALLOWED: [(&str, [bool; 5]); 7] = [
    ("seats", [true, true, true, true, true]),
    ("seats_users", [false, true, true, true, true]),
    ("seats_customer", [false, true, false, true, false]),
    ("seats_admin", [false, false, true, false, true]),
    // Passing one of index and show is enough; without the ability neither is passed.
    ("plays", [true, true, true, false, false]),
    // No ability is required there.
    ("scripts", [false, false, true, false, true]),
    ("seats,plays", [true, true, true, false, false]),
];

#[test]
fn an_include_needs_the_context_and_the_ability_of_its_target() {
    let service = theatre();
    let callers = [
        service.guest(),
        client(&service, AccountKind::Customer, "c@example.com", &["*"]),
        client(&service, AccountKind::Admin, "a@example.com", &["*"]),
        client(
            &service,
            AccountKind::Customer,
            "d@example.com",
            &["halls:*"],
        ),
        client(&service, AccountKind::Admin, "b@example.com", &["halls:*"]),
    ];
    for (include, allowed) in ALLOWED {
        for (who, (caller, allowed)) in callers.iter().zip(allowed).enumerate() {
            for media in MEDIA {
                let caller = caller.clone().header("Accept", media);
                for path in ["/api/halls", "/api/halls/1"] {
                    let asked = format!("caller {who}: {path}?include={include} as {media}");
                    let answer = caller.get(&format!("{path}?include={include}"));
                    let named = include.rsplit(',').next().unwrap_or(include);
                    match allowed {
                        true => assert_eq!(answer.status, 200, "{asked}: {answer}"),
                        false => check_refused(&answer, media, named, &asked),
                    }
                }
            }
        }
    }
    let nobody = service.admin().get("/api/halls?include=seats_nobody");
    assert_eq!(nobody.status, 400, "it is no include: {nobody}");
}

/// A change whose includes the caller may not see is not made.
#[test]
fn a_refused_include_changes_nothing() {
    let service = theatre();
    for media in MEDIA {
        let guest = service.guest().header("Accept", media);
        for (method, path, body) in [
            ("POST", "/api/halls", Some(json!({"name": "New"}))),
            ("PUT", "/api/halls/1", Some(json!({"name": "Other"}))),
            ("PATCH", "/api/halls/1", Some(json!({"name": "Other"}))),
            ("DELETE", "/api/halls/1", None),
        ] {
            let address = format!("{path}?include=scripts");
            let answer = guest.send(method, &address, body.map(|body| body.to_string()));
            check_refused(&answer, media, "scripts", method);
        }
    }
    let halls = service.guest().get("/api/halls");
    assert_eq!(halls.json["data"], json!([{"id": 1, "name": "Great"}]));
}

/// "A controller requires an ability such as `menus:*`, or several of which any one suffices."
#[test]
fn one_of_several_abilities_suffices() {
    let service = theatre();
    let id = service.account(AccountKind::Customer, "c@example.com");
    for (ability, reads, writes) in [
        ("halls:*", 200, 200),
        ("stages:*", 200, 200),
        ("stages.read", 200, 403),
        ("stages:update", 403, 200),
        ("halls:write", 403, 200),
        ("plays:*", 403, 403),
    ] {
        let client = service.with_token(service.token(AccountKind::Customer, id, &[ability]));
        for media in MEDIA {
            let client = client.clone().header("Accept", media);
            assert_eq!(client.get("/api/halls").status, reads, "{ability}");
            let changed = client.patch("/api/halls/1", json!({"name": "Great"}));
            assert_eq!(changed.status, writes, "{ability}: {changed}");
        }
    }
}

/// "Store sets the owner whatever the body says (not where the owner is the key itself)." "Rules of
/// an attribute that the caller may not write are not run; its default stands."
#[test]
fn an_owner_that_is_the_key_is_not_set() {
    let service = theatre();
    let customer = service.customer();
    let patron = |rank: Json| json!({"name": "Ada", "rank": rank, "id": 77});
    for (rank, id) in [
        (json!(1), 1),
        (json!("x"), 2),
        (json!(null), 3),
        (json!(0), 4),
    ] {
        let stored = customer.post("/api/patrons", patron(rank));
        assert_eq!(stored.status, 201, "{stored}");
        assert_eq!(
            stored.json["data"],
            json!({"id": id, "name": "Ada", "rank": 3})
        );
    }
    let own = format!("/api/patrons/{}", service.customer_id());
    assert_eq!(customer.get(&own).status, 200);
    let kept = customer.put(&own, patron(json!("x")));
    assert_eq!((kept.status, &kept.json["data"]["rank"]), (200, &json!(3)));
    let list = customer.get("/api/patrons");
    assert_eq!(list.json["meta"]["pagination"]["total"], 1, "{list}");
    // The same is an administrator's to write, and to get wrong.
    let wrong = service.admin().post("/api/patrons", patron(json!("x")));
    assert_eq!(wrong.status, 422, "{wrong}");
    let right = service.admin().post("/api/patrons", patron(json!(1)));
    assert_eq!(right.json["data"]["rank"], 1, "{right}");
}

/// A document links only to routes the caller may use: by the present context and abilities of
/// `show`.
#[test]
fn objects_link_only_to_routes_that_the_caller_may_use() {
    let service = theatre();
    for (who, abilities, halls, plays) in [
        ("guest", &[][..], true, true),
        ("all", &["*"], true, true),
        ("no play", &["halls:*", "plays:index"], true, false),
        ("no hall", &["halls:index", "plays:*"], false, true),
        ("lists", &["halls:index", "plays:index"], false, false),
    ] {
        let client = match abilities {
            [] => service.guest(),
            _ => client(
                &service,
                AccountKind::Admin,
                &format!("{who}@example.com").replace(' ', ""),
                abilities,
            ),
        };
        let client = client.header("Accept", MEDIA[1]);
        let list = client.get("/api/halls?include=plays,seats");
        assert_eq!(list.status, 200, "{who}: {list}");
        let included = list.json["included"].as_array().expect("included");
        let objects = included.iter().chain([&list.json["data"][0]]);
        let mut seen = 0;
        for object in objects {
            let (linked, place) = match object["type"].as_str() {
                Some("halls") => (halls, "/api/halls/1"),
                Some("plays") => (plays, "/api/plays/1"),
                _ => (false, "/api/seats/1"),
            };
            let link = object["links"]["self"].as_str();
            assert_eq!(link, linked.then_some(place), "{who}: {list}");
            assert_eq!(client.get(place).status == 200, linked, "{who}: {place}");
            seen += 1;
        }
        assert_eq!(seen, 4, "a hall, a play and two seats: {list}");
    }
}
