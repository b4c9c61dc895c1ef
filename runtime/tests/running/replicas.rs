//! "No state outside the database: any number of replicas behind a balancer" (docs/contract.md, "Limits and
//! running"): the changes of one replica are visible to the others at once.

use formwork::auth::AccountKind;

use super::{
    extensions, kitchen,
    support::{check, check_as},
};

#[test]
fn replicas_see_the_tokens_and_records_of_each_other() {
    let service = kitchen();
    let replica = service.replica(extensions());
    service.account(AccountKind::Admin, "chef@example.com");
    let login = r#"guest POST /api/token {"is_admin": 1, "username": "chef", "password": "formwork", "device_name": "x"} => 201"#;
    let issued = check(&service, login);
    let token = issued.json["token"].as_str().expect("a token");
    let here = service.with_token(token);
    let there = replica.with_token(token);
    let callers = [("here", &here), ("there", &there)];
    let lines = r#"
        here  POST /api/dishes {"title": "Soup"} => 201
        here  GET  /api/dishes/1                 => 200"#;
    let shown = check_as(&service, &callers, lines);
    // The entity tag is the same, and a revoked token is revoked everywhere.
    let lines = r#"
        there GET    /api/dishes/1 => 200 /data/title "Soup"
        there GET    /api/dishes/1 @If-None-Match=TAG => 304
        there DELETE /api/dishes/1 => 204
        here  GET    /api/dishes/1 => 404
        there DELETE /api/token    => 204
        here  GET    /api/dishes   => 401"#;
    let tag = shown.header("etag").expect("a tag");
    check_as(&service, &callers, &lines.replace("TAG", tag));
}
