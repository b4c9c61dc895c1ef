//! The queue of passwords that are checked.

use formwork::{prelude::*, testing::Service};

use super::{run_alone, support::at_once};

/// Hashing is slow: a wait without bounds would be one for everyone. The queue belongs to the process.
#[test]
fn too_many_concurrent_logins_are_503_with_retry_after() {
    if run_alone("passwords::too_many_concurrent_logins_are_503_with_retry_after") {
        return;
    }
    let service = Service::start(Vec::new());
    let attempts = 40 * std::thread::available_parallelism().map_or(1, usize::from);
    let answers = at_once(attempts, |number| {
        let email = format!("guest{number}@example.com");
        let body = json!({"email": email, "password": "wrong", "device_name": "x"});
        service.guest().post("/api/token", body)
    });
    let count = |status| answers.iter().filter(|it| it.status == status).count();
    let (rejected, checked) = (count(503), count(422));
    let advised = answers
        .iter()
        .filter(|it| it.header("retry-after").is_some());
    assert_eq!(advised.count(), rejected);
    assert_eq!(rejected + checked, attempts);
    assert!(
        rejected > 0 && checked >= attempts / 2,
        "{rejected} {checked}"
    );
}
