//! Bodies of custom routes, as the description lists them.

use formwork::{
    config::Config, http::route::Route, prelude::*, resource::action::Allow, testing::Service,
};

struct Uploads;

impl Extension for Uploads {
    fn name(&self) -> &'static str {
        "uploads"
    }

    fn routes(&self) -> Vec<Route> {
        let file = json!({ "type": "string", "format": "binary" });
        let schema = |required: Json| json!({ "type": "object", "required": required, "properties": { "file": file } });
        let route = |path, schema| {
            Route::post(path, Allow::All, accept)
                .accepts(&["multipart/form-data"])
                .body_schema(schema)
        };
        vec![
            route("/pictures", schema(json!(["file"]))),
            route("/notes", schema(json!([]))),
        ]
    }
}

async fn accept(_: Context) -> Result<Response> {
    Response::json(&json!({}))
}

#[test]
fn a_body_with_a_required_file_is_required() {
    let service = Service::with_config(Config::default(), vec![Box::new(Uploads)]);
    let answer = service.guest().get("/api/openapi.json");
    assert_eq!(answer.status, 200, "{answer}");
    let required =
        |path: &str| answer.json["paths"][path]["post"]["requestBody"]["required"].clone();
    assert_eq!(required("/api/pictures"), true, "{answer}");
    assert_ne!(required("/api/notes"), true);
}
