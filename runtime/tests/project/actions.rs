//! Default actions that a route of one's own calls.

use formwork::{
    axum::http::Method,
    http::route::Route,
    prelude::*,
    testing::{Answer, Service},
};

use super::{
    JSON_API, accept_documents, create,
    shop::{Thing, Things, service},
    start,
};

async fn list(ctx: Context) -> Result<Response> {
    default::index(&Things, &ctx).await
}

async fn latest(ctx: Context) -> Result<Response> {
    let newest = Thing::unscoped().eq("name", "b").first(&ctx).await?;
    let newest = newest.ok_or_else(Error::not_found)?;
    default::show(&Things, &ctx, newest.id).await
}

async fn rename(ctx: Context) -> Result<Response> {
    default::update(&Things, &ctx, ctx.path_key("id")?).await
}

async fn add(ctx: Context) -> Result<Response> {
    default::store(&Things, &ctx).await
}

fn routes() -> Vec<Route> {
    vec![
        Route::get("/mine", Allow::Users, list).parameters(&["format"]),
        Route::handler(Method::GET, "/mine-too", Allow::Users, list),
        Route::get("/mine/latest", Allow::Users, latest),
        Route::post("/mine/{id}/rename", Allow::Users, rename),
        Route::post("/mine", Allow::Users, add),
        Route::get("/words", Allow::Users, async |ctx: Context| {
            Response::json(&ctx.params().search())
        })
        .resource("things"),
    ]
}

fn shop() -> Service {
    let service = start(service(routes));
    for name in ["a", "b", "c"] {
        let stored = create(&service.customer(), "/api/mine", json!({"name": name}));
        let location = format!("/api/things/{}", stored.json["data"]["id"]);
        assert_eq!(stored.header("location"), Some(&*location));
    }
    create(&service.admin(), "/api/things", json!({"name": "not his"}));
    service
}

fn names(answer: &Answer) -> Vec<&str> {
    let rows = answer.json["data"].as_array().expect("a list");
    rows.iter().filter_map(|row| row["name"].as_str()).collect()
}

#[test]
fn the_check_of_the_route_counts_and_ownership_holds() {
    let service = shop();
    let client = service.customer();
    let list = client.get("/api/things");
    assert_eq!(list.status, 403, "the resource's context is admin: {list}");
    for path in ["/api/mine", "/api/mine-too"] {
        assert_eq!(names(&client.get(path)), ["a", "b", "c"], "{path}");
    }
    for (client, status) in [(service.admin(), 200), (client, 404)] {
        let renamed = client.post("/api/mine/4/rename", json!({"name": "d"}));
        assert_eq!(renamed.status, status, "{renamed}");
    }
}

#[test]
fn parameters_of_the_caller_work_and_links_are_the_routes() {
    let service = shop();
    let client = service.customer();
    let page = client.get("/api/mine?format=x&sort=-name&pageLimit=1&page=2&filter[name][ne]=c");
    assert_eq!(names(&page), ["a"], "{page}");
    let previous = "/api/mine?format=x&sort=-name&pageLimit=1&filter%5Bname%5D%5Bne%5D=c&page=1";
    assert_eq!(page.json["links"]["prev"], previous, "{page}");
    for unknown in ["filter[nam]=x", "other=1"] {
        let refused = client.get(&format!("/api/mine?{unknown}"));
        assert_eq!(refused.status, 400, "{refused}");
    }
    assert_eq!(client.get("/api/words?search=a+b").json, json!(["a", "b"]));
    let document = accept_documents(&client);
    let list = document.get("/api/mine?page[size]=2");
    assert_eq!(list.json["data"][0]["type"], "things", "{list}");
    let one = document.get("/api/mine/latest?fields[things]=name");
    let link = "/api/mine/latest?fields%5Bthings%5D=name";
    assert_eq!(one.json["links"]["self"], link, "{one}");
    let attributes = &one.json["data"]["attributes"];
    assert_eq!(*attributes, json!({"name": "b"}), "{one}");
}

#[test]
fn an_update_by_post_validates_only_the_attributes_sent() {
    let service = shop();
    let client = service.customer();
    let noted = client.post("/api/mine/1/rename", json!({"note": "x"}));
    assert_eq!(noted.status, 200, "the name need not be sent: {noted}");
    let refused = client.post("/api/mine/1/rename", json!({"name": ""}));
    assert_eq!(refused.status, 422, "{refused}");
    let missing = client.post("/api/mine", json!({}));
    assert_eq!(missing.status, 422, "a new one needs its name: {missing}");
}

#[test]
fn a_document_sent_to_a_route_is_read_as_at_the_resource() {
    let service = shop();
    let client = || accept_documents(&service.customer()).header("Content-Type", JSON_API);
    let document =
        |kind: &str, name: &str| json!({"data": {"type": kind, "attributes": {"name": name}}});
    let stored = create(&client(), "/api/mine", document("things", "d"));
    assert_eq!(stored.json["data"]["attributes"]["name"], "d", "{stored}");
    let id = stored.json["data"]["id"].as_str().expect("an id");

    let long = client().post("/api/mine", document("things", &"x".repeat(41)));
    assert_eq!(long.status, 422, "{long}");
    let pointer = &long.json["errors"][0]["source"]["pointer"];
    assert_eq!(pointer, "/data/attributes/name", "{long}");
    let other = client().post("/api/mine", document("dishes", "d"));
    assert_eq!(other.status, 409, "{other}");

    let path = format!("/api/mine/{id}/rename");
    let mut renaming = document("things", "e");
    assert_eq!(client().post(&path, renaming.clone()).status, 400, "no id");
    renaming["data"]["id"] = json!(id);
    let renamed = client().post(&path, renaming);
    assert_eq!(renamed.status, 200, "{renamed}");
    assert_eq!(renamed.json["data"]["attributes"]["name"], "e", "{renamed}");
}
