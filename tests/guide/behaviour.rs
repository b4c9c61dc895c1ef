//! Samples of the guide at work: filters and sorts of docs/guide/queries.md, the route of
//! docs/guide/custom-routes.md, the statements of docs/guide/own-sql.md.

use std::marker::PhantomData;

use formwork::{prelude::*, testing::Service};
use shop::api_resources::dishes::{Dish, DishRequest, DishTransformer};
use shop::{guide_custom_routes_1 as routes, guide_own_sql_1 as sales, guide_own_sql_2 as many, guide_own_sql_3 as csv, guide_own_sql_4 as savepoints, guide_own_sql_5 as locks, guide_own_sql_6 as lent, guide_queries_1 as filter, guide_queries_2 as sort, guide_queries_3 as narrow};

/// Dishes with a repository of the guide.
struct With<R>(PhantomData<fn() -> R>);

impl<R: Repository<Model = Dish>> RestController for With<R> {
    type Model = Dish;
    type Repository = R;
    type Request = DishRequest;
    type Transformer = DishTransformer;

    const ACTIONS: &'static [Action] = &[Action::Index, Action::Show, Action::Store];
}

impl<R: Repository<Model = Dish>> Extension for With<R> {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = shop::Shop.register_api_resources();
        for resource in resources.iter_mut().filter(|it| it.key == "dishes") {
            resource.controller = Box::new(With::<R>(PhantomData));
            resource.actions = formwork::prelude::actions!["index", "show", "store"];
        }
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        shop::Shop.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        shop::Shop.migrations()
    }
}

fn service<R: Repository<Model = Dish>>() -> Service {
    Service::start(vec![Box::new(With::<R>(PhantomData))])
}

fn execute(service: &Service, sql: &'static str) {
    let ctx = service.context();
    service.block_on(ctx.db().execute(sql, [])).expect(sql);
}

/// The titles that a list shows.
fn titles(service: &Service, path: &str) -> Vec<String> {
    let list = service.guest().get(path);
    assert_eq!(list.status, 200, "{list}");
    let rows = list.json["data"].as_array().cloned().unwrap_or_default();
    rows.iter().filter_map(|row| Some(row["title"].as_str()?.to_owned())).collect()
}

fn dishes(service: &Service) {
    execute(service, "INSERT INTO dishes (title, price) VALUES ('Soup', 40000), ('Bread', 0)");
}

#[test]
fn a_custom_filter_narrows_the_list() {
    let service = service::<filter::DishRepository>();
    dishes(&service);
    execute(&service, "INSERT INTO tags (name) VALUES ('hot')");
    execute(&service, "INSERT INTO dish_tag (dish_id, tag_id) VALUES (1, 1)");
    assert_eq!(titles(&service, "/api/dishes?tag=hot"), ["Soup"]);
    assert_eq!(titles(&service, "/api/dishes?tag=cold"), Vec::<String>::new());
    assert_eq!(service.guest().get("/api/dishes?tag=").status, 400);
}

#[test]
fn a_custom_sort_orders_the_list_and_has_no_cursor() {
    let service = service::<sort::DishRepository>();
    dishes(&service);
    let customer = service.customer_id();
    assert_eq!(customer, 1);
    execute(&service, "INSERT INTO orders (total, customer_id) VALUES (0, 1)");
    execute(&service, "INSERT INTO order_lines (order_id, dish_id) VALUES (1, 2)");
    assert_eq!(titles(&service, "/api/dishes?sort=-popularity"), ["Bread", "Soup"]);
    assert_eq!(titles(&service, "/api/dishes?sort=popularity"), ["Soup", "Bread"]);
    let cursor = service.guest().get("/api/dishes?sort=popularity&page[after]=");
    assert_eq!(cursor.status, 400, "{cursor}");
}

#[test]
fn extend_query_hides_rows_from_lists_and_by_id() {
    let service = service::<narrow::DishRepository>();
    dishes(&service);
    assert_eq!(titles(&service, "/api/dishes"), ["Soup"]);
    assert_eq!(service.guest().get("/api/dishes/2").status, 404);
    assert_eq!(service.admin().get("/api/dishes/2").status, 200);
}

#[test]
fn the_route_pays_an_order_once_for_its_customer() {
    let service = Service::start(vec![Box::new(routes::Shop)]);
    let customer = service.customer();
    let stored = customer.post("/api/orders", json!({}));
    assert_eq!(stored.status, 201, "{stored}");
    let pay = "/api/orders/1/pay";
    assert_eq!(service.guest().post(pay, json!({})).status, 401);
    assert_eq!(customer.post(pay, json!({})).status, 422);
    let paid = customer.post(pay, json!({ "method": "cash" }));
    assert_eq!(paid.status, 200, "{paid}");
    assert_eq!(paid.json["data"]["paid"], true);
    assert_eq!(customer.post(pay, json!({ "method": "cash" })).status, 409);
    let alice = service.account(formwork::auth::AccountKind::Customer, "alice@example.com");
    let other = service.token(formwork::auth::AccountKind::Customer, alice, &["*"]);
    assert_eq!(service.with_token(other).post(pay, json!({})).status, 404);
}

#[test]
fn the_route_pays_an_order_once_for_requests_at_once() {
    let service = Service::start(vec![Box::new(routes::Shop)]);
    let customer = service.customer();
    for order in 1..=4 {
        let stored = customer.post("/api/orders", json!({}));
        assert_eq!(stored.status, 201, "{stored}");
        let path = format!("/api/orders/{order}/pay");
        let pay = || customer.post(&path, json!({ "method": "cash" })).status;
        let mut statuses: Vec<u16> = std::thread::scope(|scope| {
            let payments: Vec<_> = (0..4).map(|_| scope.spawn(pay)).collect();
            let statuses = payments.into_iter().map(|it| it.join().expect("a response"));
            statuses.collect()
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409]);
    }
}

#[test]
fn own_sql_reads_locks_and_streams() {
    let service = Service::start(vec![Box::new(shop::Shop)]);
    assert_eq!(service.customer_id(), 1);
    service.block_on(async {
        let ctx = service.context();
        let order = |comment: &str, customer_id| shop::api_resources::orders::Order {
            comment: Some(comment.to_owned()),
            total: "2.5".parse().expect("an amount"),
            paid: true,
            customer_id,
            ..Default::default()
        };
        let orders = vec![order("ok", 1), order("no such customer", 9), order("thanks", 1)];
        assert_eq!(savepoints::import(&ctx, orders).await.expect("imported"), 1);
        let answer = sales::sales(ctx.clone()).await.expect("sales");
        let answer = String::from_utf8_lossy(answer.body());
        assert_eq!(answer, r#"[{"customer_id":1,"orders":2,"total":"5.0000"}]"#);
        assert_eq!(many::longest(&ctx).await.expect("a length"), 6);
        let changed = locks::add(&ctx, 1, "1".parse().expect("an amount")).await;
        assert_eq!(changed.expect("changed").total.to_string(), "3.5000");
        let body = formwork::axum::body::to_bytes(csv::paid(&ctx), usize::MAX).await;
        let ids: String = "1,3.5000\r\n2,2.5000\r\n".to_owned();
        assert_eq!(body.expect("a body"), ids);
        ctx.db().execute("CREATE UNIQUE INDEX tags_name ON tags (name)", []).await.expect("an index");
        let (hot, again) = (locks::tag(&ctx, "hot").await, locks::tag(&ctx, "hot").await);
        assert_eq!(hot.expect("a tag").id, again.expect("a tag").id);
        assert_eq!(lent::integrity(&ctx).await.expect("checked"), "ok");
    });
}
