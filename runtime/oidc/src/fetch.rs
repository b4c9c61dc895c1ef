//! Reads documents of the issuer: its configuration and its keys.

use std::{error::Error as _, sync::OnceLock, time::Duration};

use axum::http::{Request, StatusCode, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use serde::de::DeserializeOwned;

/// How long an issuer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most bytes of a document: a hundred keys are a tenth of it.
const LONGEST: usize = 1024 * 1024;

type Https = Client<HttpsConnector<HttpConnector>, Empty<Bytes>>;

/// Reads documents by HTTP; connects with the first.
#[derive(Default)]
pub struct Fetch(OnceLock<Https>);

impl Fetch {
    /// The JSON at this address.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, for the log.
    pub async fn json<T: DeserializeOwned>(&self, url: &str) -> Result<T, String> {
        let with_url = |why: &str| format!("{url}: {why}");
        let uri: Uri = url.parse().map_err(|_| with_url("not an address"))?;
        let body = tokio::time::timeout(PATIENCE, self.body(uri)).await;
        let body = body.unwrap_or_else(|_| Err(format!("no answer in {} s", PATIENCE.as_secs())));
        let body = body.map_err(|why| with_url(&why))?;
        serde_json::from_slice(&body).map_err(|error| with_url(&error.to_string()))
    }

    async fn body(&self, uri: Uri) -> Result<Bytes, String> {
        let client = self.0.get_or_init(client);
        let request = Request::get(uri).header(header::ACCEPT, "application/json");
        let request = request
            .body(Empty::new())
            .map_err(|error| error.to_string())?;
        let answer = client
            .request(request)
            .await
            .map_err(|error| match error.source() {
                Some(source) => format!("{error}: {source}"),
                None => error.to_string(),
            })?;
        if answer.status() != StatusCode::OK {
            return Err(format!("status {}", answer.status()));
        }
        let body = Limited::new(answer.into_body(), LONGEST).collect().await;
        Ok(body.map_err(|error| error.to_string())?.to_bytes())
    }
}

/// A client that trusts the authorities of the machine. Without any, HTTPS fails at the first
/// document, and HTTP within a network of one's own works.
fn client() -> Https {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let tls = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .expect("ring speaks the versions of rustls")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .build();
    Client::builder(TokioExecutor::new()).build(connector)
}
