//! Style, script and icon of the pages, served from here: pages load no files from other hosts.

use axum::http::{HeaderName, Method, header};
use data_encoding::HEXLOWER;
use formwork_core::{response::Response, routing::reading::read_only};
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};

/// A file of the pages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asset {
    name: &'static str,
    ending: &'static str,
    media_type: &'static str,
    text: &'static str,
}

/// All of them: style, script, icon.
pub(super) const ALL: [Asset; 3] = [
    Asset {
        name: "admin",
        ending: "css",
        media_type: "text/css; charset=utf-8",
        text: include_str!("assets/admin.css"),
    },
    Asset {
        name: "admin",
        ending: "js",
        media_type: "text/javascript; charset=utf-8",
        text: include_str!("assets/admin.js"),
    },
    Asset {
        name: "icon",
        ending: "svg",
        media_type: "image/svg+xml",
        text: include_str!("assets/icon.svg"),
    },
];

/// The `Cache-Control` of a file whose name has a digest of its content.
const FOREVER: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    // An icon opened as a page must not run scripts either.
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

impl Asset {
    /// Its name, with a digest of its text.
    fn file(&self) -> String {
        let digest = HEXLOWER.encode(&Sha256::digest(self.text.as_bytes()));
        format!("{}-{}.{}", self.name, &digest[..12], self.ending)
    }

    /// Where it is found.
    pub fn path(&self, base: &str) -> String {
        format!("{base}/assets/{}", self.file())
    }
}

/// The file of this name.
///
/// # Errors
///
/// 404, 405.
pub(super) fn answer(method: &Method, file: &str) -> Result<Response> {
    let asset = ALL.into_iter().find(|asset| asset.file() == file);
    let asset = asset.ok_or_else(|| Error::NotFound("There is no such file.".to_owned()))?;
    read_only(method)?;
    let response = Response::bytes(asset.media_type, asset.text.into());
    let with = |response: Response, (name, value)| response.with_header(name, value);
    Ok(FOREVER.into_iter().fold(response, with))
}
