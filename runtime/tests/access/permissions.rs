//! Administrators who are no super users: permissions for each resource and route.

use std::marker::PhantomData;

use formwork::{auth::AccountKind, http::route::Route, prelude::*, testing::Service};
use serde::Serialize;

use super::parts::resource;

/// Desks have papers, which everyone lists, and secrets, which accounts list.
struct Office;

impl Extension for Office {
    fn name(&self) -> &'static str {
        "office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let desk_actions = actions![
            "index",
            "show",
            "create:admin",
            "edit:admin",
            "store:admin",
            "update:users",
            "destroy:admin"
        ];
        let secret_actions = actions!["index:users", "show:admin"];
        vec![
            resource("desks", Resource::<Desk>(PhantomData), desk_actions),
            resource(
                "papers",
                Resource::<Paper>(PhantomData),
                actions!["index", "show"],
            ),
            resource("secrets", Resource::<Secret>(PhantomData), secret_actions),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260301000000,
            "create_office",
            "CREATE TABLE desks (id COUNTED_KEY, title TEXT);
             CREATE TABLE papers (id COUNTED_KEY, desk_id INTEGER NOT NULL REFERENCES desks (id));
             CREATE TABLE secrets (id COUNTED_KEY, desk_id INTEGER NOT NULL REFERENCES desks (id))",
        )
    }

    fn routes(&self) -> Vec<Route> {
        async fn caller(ctx: Context) -> Result<Response> {
            Response::json(&json!({ "admin": ctx.is_admin() }))
        }
        vec![
            Route::get("/named", Allow::Admin, caller).permission("office.open"),
            Route::get("/of-desks", Allow::Users, caller).resource("desks"),
            Route::post("/of-desks", Allow::Users, caller).resource("desks"),
            Route::get("/unnamed", Allow::Users, caller),
            Route::get("/public", Allow::All, caller).permission("office.open"),
        ]
    }
}

/// A resource whose records say whether an administrator reads them.
struct Resource<M>(PhantomData<fn() -> M>);

impl<M: Model<Key = i64>> RestController for Resource<M> {
    type Model = M;
    type Repository = Self;
    type Request = Self;
    type Transformer = Self;
}

impl<M: Model<Key = i64>> Repository for Resource<M> {
    type Model = M;
}

impl<M: Model<Key = i64>> ResourceRequest for Resource<M> {
    type Model = M;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("title", &[])];
}

impl<M: Model<Key = i64>> Transformer for Resource<M> {
    type Model = M;

    fn transform<'a>(record: &'a Loaded<M>, ctx: &'a Context) -> impl Serialize + 'a {
        json!({ "id": record.key(), "admin": ctx.is_admin() })
    }

    fn shape(to: &mut Shape) {
        to.field::<i64>("id");
        to.field::<bool>("admin");
    }
}

model! {
    Desk "desks" { key id: i64, column title: Option<String> }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("papers", "papers", "desk_id").include();
        to.has_many("secrets", "secrets", "desk_id").include();
    }
}

model! {
    Paper "papers" { key id: i64, column desk_id: i64 }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("desk", "desks", "desk_id").include();
    }
}

model! {
    Secret "secrets" { key id: i64, column desk_id: i64 }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("desk", "desks", "desk_id").include();
    }
}

/// Desk 1 with a paper and a secret.
fn office() -> Service {
    let service = Service::start(vec![Box::new(Office)]);
    assert_eq!(service.admin().post("/api/desks", json!({})).status, 201);
    let ctx = service.context();
    for table in ["papers", "secrets"] {
        let sql = format!("INSERT INTO {table} (desk_id) VALUES (1)");
        service.block_on(ctx.db().execute(sql, [])).expect("a row");
    }
    service
}

#[test]
fn reading_and_writing_a_resource_need_a_permission_each() {
    let service = office();
    let none = service.administrator("none@example.com", &[]);
    let reader = service.administrator("reader@example.com", &["desks.read", "secrets.read"]);
    let writer = service.administrator("writer@example.com", &["desks.write"]);
    let both = service.administrator("both@example.com", &["desks.*"]);
    let title = json!({ "title": "Mine" });
    for (client, reads, writes) in [
        (&none, false, false),
        (&reader, true, false),
        (&writer, false, true),
        (&both, true, true),
        (&service.admin(), true, true),
    ] {
        let status = |passes: bool, status: u16| if passes { status } else { 403 };
        for path in ["/api/desks/create", "/api/desks/1/edit"] {
            let form = client.get(path);
            assert_eq!(form.status, status(reads, 200), "{path}: {form}");
        }
        for path in ["/api/desks", "/api/desks/1"] {
            let answer = client.get(path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            let data = &answer.json["data"];
            let record = data.get(0).unwrap_or(data);
            assert_eq!(record["admin"], reads, "{path}: {answer}");
        }
        let stored = client.post("/api/desks", title.clone());
        assert_eq!(stored.status, status(writes, 201), "{stored}");
        let updated = client.patch("/api/desks/1", title.clone());
        assert_eq!(updated.status, status(writes, 200), "{updated}");
        assert_eq!(client.delete("/api/desks/9").status, status(writes, 404));
    }
    for path in ["/api/secrets", "/api/secrets/1"] {
        let refused = none.get(path);
        assert_eq!(refused.status, 403, "{refused}");
        assert!(refused.body.contains("secrets.read"), "{refused}");
        assert_eq!(reader.get(path).status, 200);
    }
    // Customers need no permission.
    assert_eq!(service.customer().get("/api/secrets").status, 200);
    let updated = service.customer().patch("/api/desks/1", title);
    assert_eq!(updated.status, 200, "{updated}");
}

#[test]
fn an_include_needs_the_permission_of_its_resource() {
    let service = office();
    let reader = service.administrator("reader@example.com", &["desks.read"]);
    for accept in ["application/json", "application/vnd.api+json"] {
        let reader = reader.clone().header("Accept", accept);
        let refused = reader.get("/api/desks?include=secrets");
        assert_eq!(refused.status, 403, "{refused}");
        assert!(refused.body.contains("secrets"), "{refused}");
        let refused = reader.get("/api/desks?include=papers.desk.secrets");
        assert_eq!(refused.status, 403, "{refused}");
    }
    // What everyone lists is shown as to a guest, and what is included in it too.
    let desks = reader.get("/api/desks?include=papers.desk").json;
    let desk = &desks["data"][0];
    let paper = &desk["papers"][0];
    let seen = [desk, paper, &paper["desk"]].map(|record| record["admin"].as_bool());
    assert_eq!(seen, [Some(true), Some(false), Some(false)], "{desks}");
    let document = reader.header("Accept", "application/vnd.api+json");
    let document = document.get("/api/desks?include=papers").json;
    assert_eq!(
        document["data"][0]["attributes"]["admin"], true,
        "{document}"
    );
    assert_eq!(
        document["included"][0]["attributes"]["admin"], false,
        "{document}"
    );
    let all = service.administrator(
        "all@example.com",
        &["desks.read", "papers.*", "secrets.read"],
    );
    let desks = all.get("/api/desks?include=papers,secrets").json;
    for relation in ["papers", "secrets"] {
        assert_eq!(desks["data"][0][relation][0]["admin"], true, "{desks}");
    }
}

#[test]
fn a_route_names_its_permission_or_that_of_its_resource() {
    let service = office();
    let none = service.administrator("none@example.com", &[]);
    let reader = service.administrator("reader@example.com", &["desks.read"]);
    let opener = service.administrator("opener@example.com", &["office.open"]);
    let statuses = |client: &formwork::testing::Client<'_>| {
        let get = |path| client.get(path).status;
        let post = client.post("/api/of-desks", json!({})).status;
        [
            get("/api/named"),
            get("/api/of-desks"),
            post,
            get("/api/unnamed"),
        ]
    };
    assert_eq!(statuses(&none), [403, 403, 403, 403]);
    assert_eq!(statuses(&reader), [403, 200, 403, 403]);
    assert_eq!(statuses(&opener), [200, 403, 403, 403]);
    assert_eq!(statuses(&service.admin()), [200, 200, 200, 200]);
    assert_eq!(statuses(&service.customer()), [403, 200, 200, 200]);
    for (client, admin) in [(&none, false), (&opener, true), (&service.guest(), false)] {
        let answer = client.get("/api/public");
        assert_eq!(answer.json["admin"], admin, "{answer}");
    }
}

#[test]
fn permissions_count_at_once() {
    use formwork::auth::{Granted, set_permissions};

    let service = office();
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    let chef = service.with_token(token);
    assert_eq!(chef.get("/api/secrets").status, 200, "a super user");
    let set = |granted: Granted| {
        let db = service.app().db();
        service.block_on(set_permissions(db, id, &granted))
    };
    set(Granted::Permissions(Vec::new())).expect("set");
    assert_eq!(chef.get("/api/secrets").status, 403);
    set(Granted::Permissions(vec!["secrets.read".to_owned()])).expect("set");
    assert_eq!(chef.get("/api/secrets").status, 200);
    let nobody = set_permissions(service.app().db(), 999, &Granted::Everything);
    assert!(service.block_on(nobody).is_err());
}
