//! A wrong login says the same and takes at least 400 ms, whatever is wrong with it.

use std::time::{Duration, Instant};

use formwork::{auth::AccountKind, prelude::*, testing::Service};

use super::{config, extensions};

/// A refused login is answered no sooner.
const FLOOR: Duration = Duration::from_millis(400);

/// A bcrypt hash, cost 4: quicker to check than what new passwords have.
const OLDER: &str = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uFVQSV0UCXbOJPMvwhs4zXxIlVdQ1pHS";

/// A service with accounts that are there, asleep, and of an older hash.
fn accounts() -> Service {
    let service = Service::with_config(config(""), extensions());
    for email in &ACCOUNTS[..3] {
        service.account(AccountKind::Customer, email);
    }
    let change = |sql: &'static str, values: Vec<Value>| {
        service
            .block_on(service.app().db().execute(sql, values))
            .expect("an update");
    };
    let text = |text: &str| Value::from(text.to_owned());
    change(
        "UPDATE \"api_customers\" SET \"is_activated\" = FALSE WHERE \"email\" = ?",
        vec![text(ACCOUNTS[1])],
    );
    change(
        "UPDATE \"api_customers\" SET \"password\" = ? WHERE \"email\" = ?",
        vec![text(OLDER), text(ACCOUNTS[2])],
    );
    service
}

const ACCOUNTS: [&str; 4] = [
    "there@example.com",
    "asleep@example.com",
    "older@example.com",
    "nobody@example.com",
];

#[test]
fn wrong_logins_take_the_same_time() {
    let service = accounts();
    let attempt = |email: &str, password: &str| {
        let body = json!({"email": email, "password": password, "device_name": "x"});
        let began = Instant::now();
        let answer = service.guest().post("/api/token", body);
        let took = began.elapsed();
        assert_eq!(answer.status, 422, "{email}: {answer}");
        assert!(took >= FLOOR, "{email}: {took:?}");
        answer.json
    };
    let [there, asleep, older, nobody] = ACCOUNTS;
    let expected = json!({
        "message": "The provided credentials are incorrect.",
        "status_code": 422,
        "errors": {"email": ["The provided credentials are incorrect."]},
    });
    assert_eq!(attempt(there, "wrong"), expected);
    assert_eq!(attempt(older, "wrong"), expected);
    assert_eq!(attempt(nobody, "formwork"), expected);
    assert_eq!(attempt(asleep, "formwork"), expected, "its right password");
}

/// The work of an older hash is that of its own account's logins: on others it would be work that
/// anybody can ask for.
#[test]
fn a_slow_hash_makes_no_other_refusal_slower() {
    let service = accounts();
    let slow = OLDER.replace("$04$", "$13$");
    let change = "UPDATE \"api_customers\" SET \"password\" = ? WHERE \"email\" = ?";
    let [_, _, older, nobody] = ACCOUNTS;
    let values = [slow, older.to_owned()].map(Value::from);
    let changed = service.app().db().execute(change, values);
    assert_eq!(service.block_on(changed).expect("an update"), 1);
    let refused = |email: &str| {
        let body = json!({"email": email, "password": "wrong", "device_name": "x"});
        let began = Instant::now();
        let answer = service.guest().post("/api/token", body);
        assert_eq!(answer.status, 422, "{email}: {answer}");
        began.elapsed()
    };
    let (slow, quick) = (refused(older), refused(nobody));
    assert!(quick < FLOOR + slow / 2, "{quick:?} beside {slow:?}");
}

/// 429 is answered for the sent name only: for an account's other name it would reveal the account.
#[test]
fn too_many_attempts_do_not_reveal_other_names() {
    let service = Service::with_config(config(""), extensions());
    service.account(AccountKind::Admin, "tom@example.com");
    service.account(AccountKind::Admin, "ann@example.com");
    let attempt = |field: &str, login: &str, password: &str| {
        let body = json!({
            "is_admin": 1, field: login, "password": password, "device_name": "x",
        });
        let began = Instant::now();
        (service.guest().post("/api/token", body), began.elapsed())
    };
    for at in 0..6 {
        for email in ["tom@example.com", "nobody@example.com"] {
            let (answer, _) = attempt("email", email, "wrong");
            let status = if at < 5 { 422 } else { 429 };
            assert_eq!(answer.status, status, "{email}: {answer}");
        }
    }
    // The account is shut all the same, to its right password too.
    for at in 0..6 {
        let (there, took) = attempt("username", "tom", "formwork");
        let (nobody, as_long) = attempt("username", "nobody", "formwork");
        let status = if at < 5 { 422 } else { 429 };
        assert_eq!((there.status, nobody.status), (status, status), "{there}");
        if status == 422 {
            assert_eq!(there.body, nobody.body);
            assert!(took >= FLOOR && as_long >= FLOOR, "{took:?} {as_long:?}");
        }
    }
    assert_eq!(attempt("username", "ann", "formwork").0.status, 201);
}

/// Replicas that share a Redis count together; without one, each for itself.
mod shared {
    use formwork::testing::Answer;

    use super::*;

    const CHEF: (&str, &str) = ("email", "chef@example.com");

    /// An attempt with this login and password.
    fn attempt(service: &Service, login: (&str, &str), password: &str) -> Answer {
        let body = json!({login.0: login.1, "password": password, "device_name": "x"});
        service.guest().post("/api/token", body)
    }

    fn replica(url: &str) -> Service {
        let yaml = format!("redis: {{ url: '{url}' }}");
        let service = Service::with_config(config(&yaml), extensions());
        // Their databases have the same accounts.
        service.account(AccountKind::Customer, CHEF.1);
        service.account(AccountKind::Admin, CHEF.1);
        service
    }

    fn windows(redis: &mut redis::Connection) -> Vec<String> {
        let mut keys = redis::cmd("KEYS");
        let keys = keys.arg("formwork:logins:*").query(redis);
        keys.expect("KEYS")
    }

    #[test]
    fn replicas_count_together() {
        let Some(url) = crate::skipped::address("FORMWORK_TEST_REDIS_URL") else {
            return;
        };
        let client = redis::Client::open(url.as_str()).expect("an address");
        let mut redis = client.get_connection().expect("a Redis");
        let mut forget = || {
            let windows = windows(&mut redis);
            for name in &windows {
                let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
            }
            windows
        };
        forget();
        let (one, other) = (replica(&url), replica(&url));
        // Four failures and a success reset the count.
        for (service, password, status) in [
            (&one, "wrong", 422),
            (&one, "wrong", 422),
            (&other, "wrong", 422),
            (&other, "wrong", 422),
            (&one, "formwork", 201),
        ] {
            assert_eq!(attempt(service, CHEF, password).status, status);
        }
        assert_eq!(forget(), Vec::<String>::new());
        for service in [&one, &other, &one, &other, &one] {
            assert_eq!(attempt(service, CHEF, "wrong").status, 422);
        }
        for service in [&one, &other] {
            let refused = attempt(service, CHEF, "formwork");
            assert_eq!(refused.status, 429, "{refused}");
            let left: u64 = refused
                .header("retry-after")
                .expect("seconds")
                .parse()
                .expect("a number");
            assert!((1..=60).contains(&left), "{left}");
        }
        // An administrator of the same address is another account, with two names.
        for service in [&one, &other, &one, &other, &one] {
            let answer = attempt(service, ("username", "chef"), "wrong");
            assert_eq!(answer.status, 422, "{answer}");
        }
        let body =
            json!({"is_admin": 1, "email": CHEF.1, "password": "formwork", "device_name": "x"});
        let by_email = other.guest().post("/api/token", body);
        assert_eq!(
            by_email.status, 422,
            "the account that both name: {by_email}"
        );
        // Accounts that are not there count by what was sent alone.
        for at in 0..5 {
            let nobody = format!("nobody{at}@example.com");
            assert_eq!(attempt(&one, ("email", &nobody), "wrong").status, 422);
        }
        let next = attempt(&other, ("email", "nobody@example.com"), "wrong");
        assert_eq!(next.status, 422, "{next}");
        let kept = forget();
        assert!(
            !kept.is_empty() && !kept.iter().any(|name| name.contains("chef")),
            "{kept:?}"
        );
        assert_eq!(attempt(&one, CHEF, "formwork").status, 201, "a new window");
        forget();
    }

    #[test]
    fn without_its_redis_a_replica_counts_for_itself() {
        let service = replica("redis://127.0.0.1:1");
        for _ in 0..5 {
            assert_eq!(attempt(&service, CHEF, "wrong").status, 422);
        }
        assert_eq!(attempt(&service, CHEF, "formwork").status, 429);
    }
}
