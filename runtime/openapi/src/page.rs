//! A page to read and try the API: Swagger UI, embedded and served from here alone.

use std::sync::{Arc, LazyLock};

use axum::{Router, http::header};
use data_encoding::HEXLOWER;
use formwork_core::{
    config::ApiConfig,
    etag,
    response::Response,
    routing::{coding::takes_gzip, reading::reading},
    state::ServiceState,
    tag_key::TagKey,
};
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};

/// A file of the page.
struct Asset {
    name: &'static str,
    media_type: &'static str,
    /// Compressed where `gzip` says so.
    bytes: &'static [u8],
    gzip: bool,
}

const ASSETS: [Asset; 4] = [
    Asset {
        name: "swagger-ui-bundle.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/swagger-ui/swagger-ui-bundle.js.gz"),
        gzip: true,
    },
    Asset {
        name: "swagger-ui.css",
        media_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/swagger-ui/swagger-ui.css.gz"),
        gzip: true,
    },
    Asset {
        name: "init.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/docs/init.js"),
        gzip: false,
    },
    Asset {
        name: "page.css",
        media_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/docs/page.css"),
        gzip: false,
    },
];

/// The content security policy of the page: only files of the service. Swagger UI draws its icons
/// as `data:` images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A file under this version never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Bytes of the digest that names a version.
const KEPT: usize = 8;

/// The version of these files, as a segment of their paths: a digest of their content.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    for asset in &ASSETS {
        digest.update(asset.bytes);
    }
    HEXLOWER.encode(&digest.finalize()[..KEPT])
});

/// Adds `/api/docs`, and the files of the page.
pub(crate) fn add_routes(router: Router, app: &Arc<ServiceState>) -> Router {
    let prefix = &app.config().api.prefix;
    let router = reading(router, app, &format!("{prefix}/docs"), async |app, _| {
        let page = page(&app.config().api);
        Ok(etag::tagged(TagKey::OPEN, page, None))
    });
    let files = format!("{prefix}/docs/{{version}}/{{file}}");
    reading(router, app, &files, async |_, parts| {
        let mut segments = parts.uri.path().rsplit('/');
        let file = segments.next().unwrap_or_default();
        let version = segments.next().unwrap_or_default();
        asset(version, file, takes_gzip(&parts.headers))
    })
}

/// The page. Its files are at relative paths, so that it works below any prefix.
fn page(api: &ApiConfig) -> Response {
    let page = include_str!("../assets/docs/index.html")
        .replace("{version}", &VERSION)
        .replace("{prefix}", &escaped(&api.prefix))
        // Last: it may be any text.
        .replace("{title}", &escaped(&api.title));
    Response::bytes("text/html; charset=utf-8", page.into_bytes())
        .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
}

/// Text as HTML writes it, in attributes too.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A file of the page. A file that is stored compressed is sent compressed.
///
/// # Errors
///
/// 404 where there is none of this name and version; 406 where the client refuses gzip.
fn asset(version: &str, name: &str, takes_gzip: bool) -> Result<Response> {
    let found = ASSETS.iter().find(|asset| asset.name == name);
    let asset = found
        .filter(|_| version == *VERSION)
        .ok_or_else(|| Error::NotFound("No route has this path.".to_owned()))?;
    let response = Response::bytes(asset.media_type, asset.bytes.to_vec())
        .with_header(header::CACHE_CONTROL, FOR_EVER)
        .with_header(header::VARY, "Accept-Encoding");
    match (asset.gzip, takes_gzip) {
        (false, _) => Ok(response),
        (true, true) => Ok(response.with_header(header::CONTENT_ENCODING, "gzip")),
        (true, false) => {
            let message = "This file is sent in the content coding gzip only.";
            Err(Error::NotAcceptable(message.to_owned()))
        }
    }
}
