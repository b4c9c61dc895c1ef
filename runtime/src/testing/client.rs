//! A client that speaks real HTTP to a service under test.

use std::{fmt, net::SocketAddr};

use axum::http::{HeaderMap, Method, Request, header};
use bytes::Bytes;
use formwork_data::value::Json;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, runtime::Runtime};

/// Sends requests to a service, with a token or without.
#[derive(Clone)]
pub struct Client<'s> {
    address: SocketAddr,
    runtime: &'s Runtime,
    token: Option<String>,
    headers: Vec<(String, String)>,
}

/// The answer of a service.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status of the answer.
    pub status: u16,
    /// The headers of the answer.
    pub headers: HeaderMap,
    /// The body of the answer as text.
    pub body: String,
    /// The body as JSON; null where it is none.
    pub json: Json,
}

impl Answer {
    /// A header's value, if it was sent and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Status and body, for failed assertions.
impl fmt::Display for Answer {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} {}", self.status, self.body)
    }
}

impl<'s> Client<'s> {
    pub(super) fn new(address: SocketAddr, runtime: &'s Runtime, token: Option<String>) -> Self {
        Self {
            address,
            runtime,
            token,
            headers: Vec::new(),
        }
    }

    /// The same client sending this header as well, in the place of one that it sends by itself.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Sends `GET` to this path.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    /// `POST` with a JSON body.
    pub fn post(&self, path: &str, body: impl Into<Json>) -> Answer {
        self.send("POST", path, Some(body.into().to_string()))
    }

    /// `PUT` with a JSON body.
    pub fn put(&self, path: &str, body: impl Into<Json>) -> Answer {
        self.send("PUT", path, Some(body.into().to_string()))
    }

    /// `PATCH` with a JSON body.
    pub fn patch(&self, path: &str, body: impl Into<Json>) -> Answer {
        self.send("PATCH", path, Some(body.into().to_string()))
    }

    /// Sends `DELETE` to this path.
    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None)
    }

    /// Any method, any body; `Content-Type` is `application/json` unless a header says otherwise.
    ///
    /// # Panics
    ///
    /// When method or path are none, or the service does not answer.
    pub fn send(&self, method: &str, path: &str, body: Option<String>) -> Answer {
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        self.runtime
            .block_on(self.exchange(self.request(method, path, body)))
    }

    fn request(&self, method: Method, path: &str, body: Option<String>) -> Request<Full<Bytes>> {
        let has = |name: &str| self.headers.iter().any(|(header, _)| header == name);
        let mut request = Request::builder().method(method).uri(path);
        if !has("host") {
            request = request.header(header::HOST, self.address.to_string());
        }
        if !has("accept") {
            request = request.header(header::ACCEPT, "application/json");
        }
        if body.is_some() && !has("content-type") {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request
            .body(Full::from(body.unwrap_or_default()))
            .expect("a request")
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Answer {
        let stream = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
            .await
            .expect("a connection");
        // It ends with the answer; what goes wrong there the answer shows.
        let connection = tokio::spawn(connection);
        let answer = sender.send_request(request).await.expect("an answer");
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.expect("a body").to_bytes();
        drop(sender);
        connection.abort();
        let json = serde_json::from_slice(&body).unwrap_or_default();
        let body = String::from_utf8_lossy(&body).into_owned();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
            json,
        }
    }
}
