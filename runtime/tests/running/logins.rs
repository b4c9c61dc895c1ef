//! A wrong login has the same response after at least 400 ms, whatever is wrong with it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use formwork::{
    auth::{AccountKind, Caller},
    prelude::*,
    testing::{Answer, Service},
};

use super::{
    config, configured, extensions, kitchen,
    support::{Expect, at_once, execute},
};

/// A rejected login is answered no sooner.
const FLOOR: Duration = Duration::from_millis(400);

/// A bcrypt hash, cost 4: quicker to check than what new passwords have.
const OLDER: &str = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uFVQSV0UCXbOJPMvwhs4zXxIlVdQ1pHS";

/// Accounts that are active, inactive, of an older hash, and missing.
const ACCOUNTS: [&str; 4] = ["there@x.de", "asleep@x.de", "older@x.de", "nobody@x.de"];

/// A service with these accounts.
fn accounts(older: &str) -> Service {
    let service = kitchen();
    for email in &ACCOUNTS[..3] {
        service.account(AccountKind::Customer, email);
    }
    let sleep = "UPDATE api_customers SET is_activated = FALSE WHERE email = ?";
    execute(&service, sleep, [ACCOUNTS[1].to_owned().into()]);
    let change = "UPDATE api_customers SET password = ? WHERE email = ?";
    let values = [older, ACCOUNTS[2]].map(|value| value.to_owned().into());
    assert_eq!(execute(&service, change, values), 1);
    service
}

/// An attempt with this login and password, and the time that it took.
fn timed(service: &Service, login: (&str, &str), password: &str) -> (Answer, Duration) {
    let is_admin = u8::from(login.0 == "username");
    let body =
        json!({"is_admin": is_admin, login.0: login.1, "password": password, "device_name": "x"});
    let began = Instant::now();
    let answer = service.guest().post("/api/token", body);
    (answer, began.elapsed())
}

fn attempt(service: &Service, login: (&str, &str), password: &str) -> Answer {
    timed(service, login, password).0
}

#[test]
fn wrong_logins_take_the_same_time() {
    let service = accounts(OLDER);
    let expected = json!({
        "message": "The provided credentials are incorrect.",
        "status_code": 422,
        "errors": {"email": ["The provided credentials are incorrect."]},
    });
    // The inactive account has its right password.
    let passwords = ["wrong", "formwork", "wrong", "formwork"];
    at_once(4, |at| {
        let (answer, took) = timed(&service, ("email", ACCOUNTS[at]), passwords[at]);
        assert_eq!((answer.status, &answer.json), (422, &expected));
        assert!(took >= FLOOR, "{}: {took:?}", ACCOUNTS[at]);
    });
}

/// The work of an older hash is done for logins of its own account: for others it would be work that
/// everyone can ask for.
#[test]
fn a_slow_hash_makes_no_other_rejection_slower() {
    let service = accounts(&OLDER.replace("$04$", "$11$"));
    let rejected = |email: &str| {
        let (answer, took) = timed(&service, ("email", email), "wrong");
        answer.expect(422);
        took
    };
    let (slow, quick) = (rejected(ACCOUNTS[2]), rejected(ACCOUNTS[3]));
    assert!(quick < FLOOR + slow / 2, "{quick:?} beside {slow:?}");
}

/// 429 is answered for the sent name only: for an account's other name it would reveal the account.
#[test]
fn too_many_attempts_do_not_reveal_other_names() {
    let service = kitchen();
    service.account(AccountKind::Admin, "tom@example.com");
    service.account(AccountKind::Admin, "ann@example.com");
    let by_email = |email: &str| {
        let body = json!({"is_admin": 1, "email": email, "password": "wrong", "device_name": "x"});
        service.guest().post("/api/token", body).status
    };
    let emails = ["tom@example.com", "nobody@example.com"];
    assert_eq!(at_once(10, |at| by_email(emails[at % 2])), [422; 10]);
    assert_eq!(emails.map(by_email), [429, 429]);
    // The account is shut all the same, to its right password too.
    let names = ["tom", "nobody"];
    let answers = at_once(10, |at| {
        timed(&service, ("username", names[at % 2]), "formwork")
    });
    for (answer, took) in &answers {
        assert_eq!((answer.status, &answer.body), (422, &answers[0].0.body));
        assert!(*took >= FLOOR, "{took:?}");
    }
    for name in names {
        attempt(&service, ("username", name), "formwork").expect(429);
    }
    attempt(&service, ("username", "ann"), "formwork").expect(201);
}

/// Replicas that share a Redis count together; without one, each for itself.
mod shared {
    use super::*;

    const CHEF: (&str, &str) = ("email", "chef@example.com");

    fn replica(url: &str) -> Service {
        let service = configured(&format!("redis: {{ url: '{url}' }}"));
        // Their databases have the same accounts.
        service.account(AccountKind::Customer, CHEF.1);
        service.account(AccountKind::Admin, CHEF.1);
        service
    }

    #[test]
    fn replicas_count_together() {
        let Some(url) = crate::skipped::address("FORMWORK_TEST_REDIS_URL") else {
            return;
        };
        let client = redis::Client::open(url.as_str()).expect("an address");
        let mut redis = client.get_connection().expect("a Redis");
        let mut forget = || {
            let mut keys = redis::cmd("KEYS");
            let keys = keys.arg("formwork:logins:*").query(&mut redis);
            let keys: Vec<String> = keys.expect("KEYS");
            for name in &keys {
                let _: () = redis::cmd("DEL").arg(name).query(&mut redis).expect("DEL");
            }
            keys
        };
        forget();
        let replicas = [replica(&url), replica(&url)];
        let fail = |count, login: (&str, &str)| {
            for answer in at_once(count, |at| attempt(&replicas[at % 2], login, "wrong")) {
                answer.expect(422);
            }
        };
        // A success after four failures resets the count.
        fail(4, CHEF);
        attempt(&replicas[0], CHEF, "formwork").expect(201);
        assert_eq!(forget(), Vec::<String>::new());
        fail(5, CHEF);
        for service in &replicas {
            let rejected = attempt(service, CHEF, "formwork").expect(429);
            let wait = rejected.header("retry-after").expect("seconds");
            let wait: u64 = wait.parse().expect("a number");
            assert!((1..=60).contains(&wait), "{wait}");
        }
        // An administrator of the same address is another account, with two names.
        fail(5, ("username", "chef"));
        let body =
            json!({"is_admin": 1, "email": CHEF.1, "password": "formwork", "device_name": "x"});
        replicas[1].guest().post("/api/token", body).expect(422);
        // Accounts that do not exist count by what was sent alone.
        for answer in at_once(6, |at| {
            let nobody = format!("nobody{at}@example.com");
            attempt(&replicas[at % 2], ("email", &nobody), "wrong")
        }) {
            answer.expect(422);
        }
        let kept = forget();
        let named = kept.iter().any(|name| name.contains("chef"));
        assert!(!kept.is_empty() && !named, "{kept:?}");
        // A new window.
        attempt(&replicas[0], CHEF, "formwork").expect(201);
        forget();
    }

    #[test]
    fn without_its_redis_a_replica_counts_for_itself() {
        let service = replica("redis://127.0.0.1:1");
        for answer in at_once(5, |_| attempt(&service, CHEF, "wrong")) {
            answer.expect(422);
        }
        attempt(&service, CHEF, "formwork").expect(429);
    }
}

/// A client withholds the ends of its requests and sends them in any order: attempts are counted at
/// the time at which the password is checked, not at the time at which the request began.
#[test]
fn attempts_are_counted_when_the_password_is_checked() {
    use std::sync::atomic::{AtomicI64, Ordering};

    let second = Arc::new(AtomicI64::new(0));
    let clock = Arc::clone(&second);
    let clock = move || {
        let seconds = 1_800_000_000 + clock.load(Ordering::SeqCst);
        DateTime::from_timestamp(seconds, 0).expect("a date-time")
    };
    let setup = Service::setup(formwork::service(extensions()));
    let service = setup.config(config("")).clock(clock).start();
    let id = service.account(AccountKind::Customer, "eve@example.com");
    let app = Arc::clone(&**service.app());
    let checked = service.block_on(async {
        let account = app.auth().account(app.db(), AccountKind::Customer, id);
        let account = account.await.expect("a query").expect("an account");
        let context = |at| {
            second.store(at, Ordering::SeqCst);
            Context::outside(Arc::clone(&app), Caller::Customer(account.clone()))
        };
        let contexts: Vec<Context> = (0..20).map(context).collect();
        let mut checked = 0;
        for ctx in contexts.iter().rev() {
            checked += usize::from(ctx.confirm_password("wrong").await.is_ok());
        }
        checked
    });
    assert_eq!(checked, 5);
}
