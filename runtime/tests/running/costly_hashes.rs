//! Stored hashes that cost more to check than an unknown account does.

use formwork::{auth::AccountKind, prelude::*, testing::Service};

use super::{config, extensions};

/// The password `formwork` by bcrypt, of cost 4 and of cost 13.
const CHEAP: &str = "$2y$04$5f1nPKBBLm0JbU0aeWZZ7uQqQwqSbcTGm013ta68SF0fGaw0sCU8C";
const COSTLY: &str = "$2y$13$5f1nPKBBLm0JbU0aeWZZ7uo3T6ozXabPWlPDr.xybA13QgtbtupWG";

/// Some hash by Argon2id that fills a gigabyte twice.
const LARGE: &str = "$argon2id$v=19$m=1048576,t=2,p=1$Zm9ybXdvcmstbm9ib2R5cw$\
                     dGhpcyBoYXNoIGJlbG9uZ3MgdG8gbm9ib2R5AAECAwQ";

#[test]
fn a_hash_that_costs_too_much_is_as_no_account() {
    let service = Service::with_config(config(""), extensions());
    service.account(AccountKind::Customer, "alice@example.com");
    let login = |hash: &str| {
        let sql = "UPDATE \"api_customers\" SET \"password\" = ?";
        let changed = service.app().db().execute(sql, [hash.to_owned().into()]);
        assert_eq!(service.block_on(changed).expect("changed"), 1);
        let body = json!({
            "email": "alice@example.com", "password": "formwork", "device_name": "x",
        });
        service.guest().post("/api/token", body)
    };
    let nobody = service.guest().post(
        "/api/token",
        json!({ "email": "nobody@example.com", "password": "formwork", "device_name": "x" }),
    );
    assert_eq!(nobody.status, 422, "{nobody}");
    assert_eq!(login(CHEAP).status, 201);
    for hash in [COSTLY, LARGE] {
        let refused = login(hash);
        assert_eq!(
            (refused.status, refused.body),
            (422, nobody.body.clone()),
            "{hash}"
        );
    }
}
