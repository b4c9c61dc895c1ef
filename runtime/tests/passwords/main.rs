//! The queue of passwords that are checked. It belongs to the process, so that it is tested in a program
//! of its own.

use formwork::{prelude::*, testing::Service};

/// Hashing is slow: a wait without bounds would be one for everybody.
#[test]
fn too_many_concurrent_logins_are_503_with_retry_after() {
    let service = Service::start(Vec::new());
    let attempts = 40 * std::thread::available_parallelism().map_or(1, usize::from);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let attempt = |number: usize| {
            let email = format!("guest{number}@example.com");
            let body = json!({"email": email, "password": "wrong", "device_name": "x"});
            service.guest().post("/api/token", body)
        };
        let sent: Vec<_> = (0..attempts)
            .map(|number| scope.spawn(move || attempt(number)))
            .collect();
        let sent = sent.into_iter();
        sent.map(|sent| sent.join().expect("an answer")).collect()
    });
    let busy = answers.iter().filter(|answer| answer.status == 503);
    for answer in busy.clone() {
        assert!(answer.header("retry-after").is_some(), "{answer}");
    }
    let checked = answers.iter().filter(|answer| answer.status == 422);
    assert_eq!(busy.clone().count() + checked.clone().count(), attempts);
    assert!(busy.count() > 0 && checked.count() >= attempts / 2);
}
