//! A wrong login takes as long whether the account exists, is active, or has an older hash.

use std::time::{Duration, Instant};

use formwork::{auth::AccountKind, prelude::*, testing::Service};

use super::{config, extensions};

/// Fewer than the attempts that are allowed in a minute.
const SAMPLES: usize = 4;

/// Differences below this are the machine's.
const NOISE: Duration = Duration::from_millis(8);

/// Half of what it takes to check a password: what a missing check would show.
fn bound(service: &Service) -> Duration {
    let hash = || {
        let began = Instant::now();
        let hashed = service.block_on(formwork::auth::hash_password("formwork"));
        hashed.expect("a hash");
        began.elapsed()
    };
    let quickest = (0..3).map(|_| hash()).min().expect("three");
    NOISE.max(quickest / 2)
}

/// A bcrypt hash, cost 4: quicker to check than what new passwords have.
const OLDER: &str = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uFVQSV0UCXbOJPMvwhs4zXxIlVdQ1pHS";

#[test]
fn wrong_logins_take_the_same_time() {
    let service = Service::with_config(config(""), extensions());
    for email in [
        "there@example.com",
        "asleep@example.com",
        "older@example.com",
    ] {
        service.account(AccountKind::Customer, email);
    }
    let change = |sql: &'static str, values: Vec<Value>| {
        service
            .block_on(service.app().db().execute(sql, values))
            .expect("an update");
    };
    let asleep = Value::from("asleep@example.com".to_owned());
    change(
        "UPDATE \"api_customers\" SET \"is_activated\" = 0 WHERE \"email\" = ?",
        vec![asleep],
    );
    change(
        "UPDATE \"api_customers\" SET \"password\" = ? WHERE \"email\" = ?",
        vec![
            OLDER.to_owned().into(),
            "older@example.com".to_owned().into(),
        ],
    );
    let attempt = |email: &str| {
        let body = json!({"email": email, "password": "wrong", "device_name": "x"});
        let began = Instant::now();
        let answer = service.guest().post("/api/token", body);
        let took = began.elapsed();
        assert_eq!(answer.status, 422, "{answer}");
        (took, answer.body)
    };
    let accounts = [
        "there@example.com",
        "asleep@example.com",
        "older@example.com",
        "nobody@example.com",
    ];
    // Taken in turns, so that a busy moment is everybody's; the quickest says most of the code.
    let mut quickest = [Duration::MAX; 4];
    let mut bodies = Vec::new();
    for _ in 0..SAMPLES {
        for (at, email) in accounts.iter().enumerate() {
            let (took, body) = attempt(email);
            quickest[at] = quickest[at].min(took);
            bodies.push(body);
        }
    }
    let (shortest, longest) = (quickest.iter().min(), quickest.iter().max());
    let (shortest, longest) = (shortest.expect("four"), longest.expect("four"));
    let bound = bound(&service);
    assert!(
        *longest - *shortest < bound,
        "{accounts:?} took {quickest:?}, which differs by more than {bound:?}"
    );
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "and the answers are the same: {bodies:?}");
}
