//! A service with tower layers and routes of its own.

use formwork::{
    Service,
    axum::{
        Router,
        body::Body,
        extract::{Multipart, Path},
        http::{Method, header},
        middleware,
        response::{IntoResponse, Result as Answered},
        routing::get,
    },
    http::route::Route,
    prelude::*,
};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use tokio::io::AsyncWriteExt;

use super::plain::step;

/// The largest body.
const BODY_LIMIT: usize = 2 * 1024 * 1024 * 1024;

/// The service, with five layers of its own.
pub fn service() -> Service {
    (0..5).fold(formwork::service(vec![Box::new(Walls)]), |service, _| {
        service.layer(middleware::from_fn(step))
    })
}

struct Walls;

impl Extension for Walls {
    fn name(&self) -> &'static str {
        "walls"
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Reading>("readings")]
    }

    fn routes(&self) -> Vec<Route> {
        let nested = Router::new().route("/hello/{name}", get(super::plain::hello));
        vec![
            Route::handler(
                Method::GET,
                "/hello/{name}",
                Allow::All,
                super::plain::hello,
            ),
            Route::handler(Method::GET, "/greet/{name}", Allow::All, greet),
            Route::nest("/nested", Allow::All, nested),
            Route::handler(Method::POST, "/files", Allow::All, upload).body_limit(BODY_LIMIT),
            Route::handler(Method::POST, "/forms", Allow::All, form).body_limit(BODY_LIMIT),
            Route::handler(Method::GET, "/readings.csv", Allow::All, export),
            Route::handler(Method::GET, "/totals.csv", Allow::All, totals),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        &[Migration {
            version: 20260203000000,
            name: "create_readings",
            sql: &[(
                "sqlite",
                "CREATE TABLE \"readings\" (\"id\" INTEGER PRIMARY KEY, \"sensor\" TEXT NOT NULL)",
            )],
        }]
    }
}

#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
struct Reading {
    id: i64,
    sensor: String,
}

impl Model for Reading {
    type Key = i64;

    const TABLE: &'static str = "readings";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("sensor", &mut self.sensor)
    }
}

/// As [`hello`](super::plain::hello), with the context of the service.
async fn greet(ctx: Context, Path(name): Path<String>) -> String {
    assert!(ctx.caller().is_guest());
    format!("Hello, {name}.")
}

/// Writes the body of the request to a file.
async fn upload(body: Body) -> Answered<String> {
    let mut chunks = body.into_data_stream();
    let mut file = new_file().await?;
    let mut size = 0;
    while let Some(chunk) = chunks.try_next().await.map_err(Error::internal)? {
        size += chunk.len();
        file.write_all(&chunk).await.map_err(Error::internal)?;
    }
    file.flush().await.map_err(Error::internal)?;
    Ok(size.to_string())
}

/// Writes the file of a form.
async fn form(mut form: Multipart) -> Answered<String> {
    let mut file = new_file().await?;
    let mut size = 0;
    while let Some(mut field) = form.next_field().await? {
        while let Some(chunk) = field.chunk().await? {
            size += chunk.len();
            file.write_all(&chunk).await.map_err(Error::internal)?;
        }
    }
    file.flush().await.map_err(Error::internal)?;
    Ok(size.to_string())
}

/// The folder is the one the service is started in.
async fn new_file() -> Result<tokio::fs::File> {
    let file = tokio::fs::File::create("uploaded").await;
    file.map_err(Error::internal)
}

/// All readings as CSV, read as records.
async fn export(ctx: Context) -> impl IntoResponse {
    let rows = Reading::unscoped().in_chunks(&ctx);
    csv(rows.map_ok(|reading| format!("{},{}\r\n", reading.id, reading.sensor)))
}

/// All readings as CSV, read by SQL of the service's own.
async fn totals(ctx: Context) -> impl IntoResponse {
    let rows = ctx
        .db()
        .query_as::<(i64, String)>("SELECT id, sensor FROM readings", []);
    csv(rows
        .in_chunks("id")
        .map_ok(|(id, sensor)| format!("{id},{sensor}\r\n")))
}

fn csv(lines: impl Stream<Item = Result<String>> + Send + 'static) -> impl IntoResponse {
    let head = stream::iter([Ok("id,sensor\r\n".to_owned())]);
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8")];
    (headers, Body::from_stream(head.chain(lines)))
}
