//! Requests a minute.

use formwork::{
    auth::AccountKind,
    prelude::*,
    testing::{Answer, Service},
};

use super::{config, extensions};

fn limited(yaml: &str) -> Service {
    Service::limited(config(yaml), extensions())
}

fn number(answer: &Answer, name: &str) -> Option<u64> {
    answer.header(name)?.parse().ok()
}

fn standing(answer: &Answer) -> (u64, u64) {
    let reset = number(answer, "ratelimit-reset").expect("seconds");
    assert!((1..=60).contains(&reset), "{reset}");
    (
        number(answer, "ratelimit-limit").expect("a limit"),
        number(answer, "ratelimit-remaining").expect("a rest"),
    )
}

#[test]
fn a_request_over_the_limit_is_429() {
    let service = limited("api: { rate_limit: 3 }");
    let guest = service.guest();
    for rest in [2, 1, 0] {
        let answer = guest.get("/api/dishes");
        assert_eq!((answer.status, standing(&answer)), (200, (3, rest)));
    }
    let refused = guest.get("/api/dishes");
    assert_eq!(refused.status, 429, "{refused}");
    assert_eq!(refused.json["status_code"], 429);
    assert_eq!(standing(&refused), (3, 0));
    assert_eq!(
        number(&refused, "retry-after"),
        number(&refused, "ratelimit-reset")
    );
    let document = guest.header("Accept", "application/vnd.api+json");
    assert_eq!(
        document.get("/api/dishes").json["errors"][0]["status"],
        "429"
    );
    // Accounts are counted apart from the address, and from each other.
    for email in ["chef@example.com", "cook@example.com"] {
        let id = service.account(AccountKind::Admin, email);
        let client = service.with_token(service.token(AccountKind::Admin, id, &["*"]));
        assert_eq!(standing(&client.get("/api/dishes")), (3, 2));
        assert_eq!(
            standing(&client.get("/api/nothing")),
            (3, 1),
            "errors count"
        );
        assert_eq!(standing(&client.put("/api/dishes", json!({}))), (3, 0));
        assert_eq!(client.get("/api/dishes").status, 429);
    }
}

#[test]
fn all_tokens_of_an_account_are_counted_together() {
    let service = limited("api: { rate_limit: 3 }");
    let id = service.account(AccountKind::Customer, "dora@example.com");
    let ask = || {
        let token = service.token(AccountKind::Customer, id, &["*"]);
        service.with_token(token).get("/api/dishes").status
    };
    assert_eq!([ask(), ask(), ask(), ask()], [200, 200, 200, 429]);
    // An administrator may have the same key.
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, chef, &["*"]);
    assert_eq!(service.with_token(token).get("/api/dishes").status, 200);
}

#[test]
fn signing_in_has_a_count_of_its_own_and_pages_have_none() {
    let service = limited("api: { rate_limit: 3 }");
    service.account(AccountKind::Customer, "dora@example.com");
    let guest = service.guest();
    for _ in 0..5 {
        guest.get("/api/dishes");
    }
    assert_eq!(guest.get("/api/dishes").status, 429);
    let login = json!({
        "email": "dora@example.com", "password": "formwork", "device_name": "x",
    });
    let issue = || guest.post("/api/token", login.clone()).status;
    assert_eq!([issue(), issue(), issue(), issue()], [201, 201, 201, 429]);
    let page = guest.clone().header("Accept", "text/html");
    let page = page.get("/admin/login").body;
    // Without the feature there is no such page.
    let style = page.split('"').find(|part| part.ends_with(".css"));
    let style = style.unwrap_or("/admin/assets/none.css");
    for path in ["/api/openapi.json", "/api/docs", "/admin/login", style] {
        for _ in 0..5 {
            let answer = service.guest().header("Accept", "*/*").get(path);
            // 404 where the feature is off.
            assert!([200, 404].contains(&answer.status), "{path}: {answer}");
        }
    }
}

#[test]
fn inventing_tokens_is_limited() {
    let service = limited("api: { rate_limit: 3 }");
    let answers: Vec<u16> = (1..=5)
        .map(|id| {
            service
                .with_token(format!("{id}|guess"))
                .get("/api/dishes")
                .status
        })
        .collect();
    assert_eq!(answers, [401, 401, 401, 429, 429]);
    assert_eq!(service.guest().get("/api/dishes").status, 429);
}

#[test]
fn health_and_preflight_are_never_counted() {
    let service = limited("api: { rate_limit: 1 }");
    let guest = service.guest();
    assert_eq!(guest.get("/api/dishes").status, 200);
    assert_eq!(guest.get("/api/dishes").status, 429);
    for path in ["/health/live", "/health/ready"] {
        let answer = guest.get(path);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-limit"), None);
    }
    let browser = guest
        .header("Origin", "https://shop.example")
        .header("Access-Control-Request-Method", "POST");
    assert_eq!(browser.send("OPTIONS", "/api/dishes", None).status, 200);
}

#[test]
fn a_limit_of_zero_means_no_limit() {
    let service = limited("api: { rate_limit: 0 }");
    for _ in 0..70 {
        let answer = service.guest().get("/health/live");
        assert_eq!(answer.header("ratelimit-limit"), None);
    }
    assert_eq!(
        service.guest().get("/api/dishes").header("ratelimit-limit"),
        None
    );
}

/// Replicas that share a Redis count together; without one, each for itself.
mod shared {
    use super::*;

    #[test]
    fn replicas_count_together() {
        let Some(url) = crate::skipped::address("FORMWORK_TEST_REDIS_URL") else {
            return;
        };
        let client = redis::Client::open(url.as_str()).expect("an address");
        let mut redis = client.get_connection().expect("a Redis");
        let name = "formwork:requests:address:127.0.0.1";
        let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
        let yaml = format!("api: {{ rate_limit: 3 }}\nredis: {{ url: '{url}' }}");
        let (one, other) = (limited(&yaml), limited(&yaml));
        for (service, rest) in [(&one, 2), (&other, 1), (&one, 0)] {
            let answer = service.guest().get("/api/dishes");
            assert_eq!((answer.status, standing(&answer)), (200, (3, rest)));
        }
        for service in [&one, &other] {
            assert_eq!(service.guest().get("/api/dishes").status, 429);
            assert_eq!(service.guest().get("/health/live").status, 200);
        }
        let left: i64 = redis::cmd("TTL").arg(name).query(&mut redis).expect("TTL");
        assert!((1..=60).contains(&left), "the window ends: {left}");
        // Its end is a new beginning.
        let _: () = redis::cmd("PEXPIRE")
            .arg(name)
            .arg(1)
            .query(&mut redis)
            .expect("PEXPIRE");
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(standing(&one.guest().get("/api/dishes")), (3, 2));
        let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
    }

    #[test]
    fn without_its_redis_a_replica_counts_for_itself() {
        let service = limited("api: { rate_limit: 2 }\nredis: { url: 'redis://127.0.0.1:1' }");
        let answers: Vec<u16> = (0..3)
            .map(|_| service.guest().get("/api/dishes").status)
            .collect();
        assert_eq!(answers, [200, 200, 429]);
    }
}
