//! Samples of the guide that find orders, called by two customers and by administrators of two
//! locations: each reaches the rows of its own.

use formwork::{
    auth::{self, AccountKind},
    http::route::Route,
    prelude::*,
    testing::{Client, Service},
};
use shop::{guide_custom_routes_1 as pay, guide_custom_routes_2 as close, guide_custom_routes_3 as mine, guide_custom_routes_4 as close_all, guide_own_sql_5 as locks, guide_uploads_and_streams_4 as export};

/// The shop with the routes of all these samples.
struct Samples;

impl Extension for Samples {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        shop::Shop.register_api_resources()
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        shop::Shop.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        shop::Shop.migrations()
    }

    fn routes(&self) -> Vec<Route> {
        let samples = [pay::Shop.routes(), close::routes(), mine::routes(), export::routes()];
        samples.into_iter().flatten().collect()
    }
}

const CALLERS: [(AccountKind, &str, i64); 4] = [
    (AccountKind::Customer, "alice@example.com", 1),
    (AccountKind::Customer, "bob@example.com", 2),
    (AccountKind::Admin, "north@example.com", 1),
    (AccountKind::Admin, "south@example.com", 2),
];

/// Order 1 is Alice's and of the first location, order 2 is Bob's and of the second one.
fn service() -> Service {
    let service = Service::start(vec![Box::new(Samples)]);
    for (kind, email, own) in CALLERS {
        let id = service.account(kind, email);
        if kind == AccountKind::Customer {
            let location = service.admin().post("/api/locations", json!({ "name": email }));
            assert_eq!(location.status, 201, "{location}");
            let order = json!({ "customer_id": id, "location_id": own });
            let stored = service.admin().post("/api/orders", order);
            assert_eq!(stored.status, 201, "{stored}");
            assert_eq!(stored.json["data"]["id"], own);
        }
    }
    for (kind, email, own) in CALLERS.into_iter().skip(2) {
        let own = [own];
        let id = context(&service, kind, email).caller().account().expect("an account").id;
        let assigned = auth::assign_locations(service.app().db(), id, &own);
        service.block_on(assigned).expect("assigned");
    }
    service
}

/// The context of a request of this account.
fn context(service: &Service, kind: AccountKind, email: &str) -> Context {
    service.block_on(async {
        let (auth, db) = (service.app().auth(), service.app().db());
        let id = auth.account_by_email(db, kind, email).await.expect("read").expect("an account");
        let account = auth.account(db, kind, id).await.expect("read").expect("an account");
        service.context().with_caller(account)
    })
}

fn client<'s>(service: &'s Service, kind: AccountKind, email: &str) -> Client<'s> {
    let id = context(service, kind, email).caller().account().expect("an account").id;
    service.with_token(service.token(kind, id, &["*"]))
}

/// Which orders are paid, and their comments.
fn orders(service: &Service) -> Vec<(bool, Option<String>)> {
    let list = service.admin().get("/api/orders?sort=id");
    let rows = list.json["data"].as_array().cloned().expect("a list");
    let order = |row: &Json| (row["paid"] == true, row["comment"].as_str().map(str::to_owned));
    rows.iter().map(order).collect()
}

#[test]
fn a_route_of_one_order_finds_the_callers_own() {
    for (kind, email, own) in CALLERS {
        let service = service();
        let caller = client(&service, kind, email);
        let cash = json!({ "method": "cash" });
        let other = caller.post(&format!("/api/orders/{}/pay", 3 - own), cash.clone());
        assert_eq!(other.status, 404, "{email}: {other}");
        let paid = caller.post(&format!("/api/orders/{own}/pay"), cash);
        assert_eq!(paid.status, 200, "{email}: {paid}");
        let paid = orders(&service).into_iter().map(|order| order.0);
        assert_eq!(paid.collect::<Vec<_>>(), [own == 1, own == 2], "{email}");
    }
}

#[test]
fn a_list_and_a_stream_have_the_callers_own_orders() {
    let service = service();
    for (kind, email, own) in CALLERS {
        let caller = client(&service, kind, email);
        if kind == AccountKind::Customer {
            let list = caller.get("/api/my/orders");
            assert_eq!(list.json["data"].as_array().map(Vec::len), Some(1), "{list}");
            assert_eq!(list.json["data"][0]["id"], own, "{list}");
        } else {
            assert_eq!(caller.get("/api/orders.csv").body, format!("{own},false\n"), "{email}");
        }
    }
    assert_eq!(service.admin().get("/api/orders.csv").body.lines().count(), 2);
}

#[test]
fn a_change_of_several_orders_changes_the_callers_own() {
    for (kind, email, own) in CALLERS.into_iter().skip(2) {
        let service = service();
        let body = json!({ "ids": [1, 2], "note": email });
        let closed = client(&service, kind, email).post("/api/orders/close", body);
        assert_eq!(closed.json, json!(1), "{closed}");
        let ctx = context(&service, kind, email);
        service.block_on(close_all::close_all(ctx)).expect("closed");
        let changed = |at: i64| (at == own, (at == own).then(|| email.to_owned()));
        assert_eq!(orders(&service), [changed(1), changed(2)]);
    }
}

#[test]
fn a_locked_order_is_the_callers_own() {
    for (kind, email, own) in CALLERS {
        let service = service();
        let ctx = context(&service, kind, email);
        let amount = || "1".parse().expect("an amount");
        let other = service.block_on(locks::add(&ctx, 3 - own, amount()));
        assert!(matches!(other, Err(Error::NotFound(_))), "{email}: {other:?}");
        let changed = service.block_on(locks::add(&ctx, own, amount())).expect("changed");
        assert_eq!(changed.total, amount(), "{email}");
    }
}
