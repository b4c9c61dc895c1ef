//! The description of a service: its route, its command, and its copy, which is kept until other
//! actions are routed.

use std::{io::Write, sync::Arc};

use axum::{
    Router,
    http::{HeaderMap, header},
};
use flate2::{Compression, write::GzEncoder};
use formwork_core::{
    command::Command,
    etag,
    response::Response,
    routing::{coding::prefers_gzip, reading::reading},
    state::ServiceState,
    tag_key::TagKey,
};
use formwork_data::error::{Error, Result};
use tokio::{sync::Mutex, task::spawn_blocking};

use crate::{builder::Builder, document::Document, reach::Effective};

/// The description as it is sent.
#[derive(Clone)]
struct Description {
    json: Arc<[u8]>,
    gzip: Arc<[u8]>,
}

impl Description {
    fn of(document: &Document) -> Result<Self> {
        let json = serde_json::to_vec(document).map_err(Error::internal)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&json).map_err(Error::internal)?;
        let gzip = gzip.finish().map_err(Error::internal)?;
        Ok(Self {
            json: json.into(),
            gzip: gzip.into(),
        })
    }
}

/// The description of the service as it is: made once, and again when other actions are routed. It
/// is made beside the requests: many resources take a while.
#[derive(Default)]
pub(crate) struct Descriptions(Mutex<Option<(Effective, Description)>>);

impl Descriptions {
    /// The description of the routes that are on now.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    async fn current(&self, app: &Arc<ServiceState>) -> Result<Description> {
        let effective = Effective::of(app);
        let mut last = self.0.lock().await;
        if let Some((of, description)) = &*last
            && *of == effective
        {
            return Ok(description.clone());
        }
        let app = Arc::clone(app);
        let made = spawn_blocking(move || {
            let description = Description::of(&Builder::new(&app, &effective)?.build()?)?;
            Ok::<_, Error>((effective, description))
        });
        let (effective, description) = made.await.map_err(Error::internal)??;
        *last = Some((effective, description.clone()));
        Ok(description)
    }
}

/// The description for people: one member a line.
///
/// # Errors
///
/// 500 where it cannot be written as JSON.
pub fn pretty(app: &Arc<ServiceState>) -> Result<String> {
    let document = Builder::new(app, &Effective::of(app))?.build()?;
    serde_json::to_string_pretty(&document).map_err(Error::internal)
}

/// Adds `/api/openapi.json`.
pub(crate) fn add_route(router: Router, app: &Arc<ServiceState>) -> Router {
    let path = format!("{}/openapi.json", app.config().api.prefix);
    reading(router, app, &path, async |app, parts| {
        let response = send(&app, &parts.headers).await?;
        Ok(etag::tagged(TagKey::OPEN, response, None))
    })
}

/// Returns the description, compressed for clients that prefer that; each form has a tag of its own.
async fn send(app: &Arc<ServiceState>, headers: &HeaderMap) -> Result<Response> {
    let descriptions: &Descriptions = app
        .part()
        .ok_or_else(|| Error::internal("this service has no description"))?;
    let Description { json, gzip } = descriptions.current(app).await?;
    let response = match prefers_gzip(headers) {
        true => Response::json_bytes(gzip.to_vec()).with_header(header::CONTENT_ENCODING, "gzip"),
        false => Response::json_bytes(json.to_vec()),
    };
    Ok(response.with_header(header::VARY, "Accept-Encoding"))
}

/// Returns the command `openapi`, which prints the description.
pub(crate) fn command() -> Command {
    let arguments = clap::Command::new("openapi")
        .about("Print the description of the API in OpenAPI 3.1; needs no database");
    let print = Command::new(arguments, async |ctx, _| {
        println!("{}", pretty(ctx.app())?);
        Ok(())
    });
    print.without_database()
}
