//! A client for tests: requests as one caller, answers that show themselves when a test fails.

use std::{fmt, thread, time::Duration};

use serde_json::Value;

/// How often a request is sent while the service answers that it is busy: a server ends one of two transactions that
/// wait for each other, and clients repeat what they asked (docs/guide/running.md).
const ATTEMPTS: usize = 5;

/// Most bytes of an answer: what everything includes of everything is some megabytes.
const LARGEST: u64 = 64 << 20;

/// Sends requests to a service, with or without a token.
#[derive(Debug, Clone)]
pub struct Client {
    base: String,
    token: Option<String>,
}

/// A service's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body as text.
    pub body: String,
    /// Body as JSON; null when it is none.
    pub json: Value,
}

impl Client {
    /// Requests to `base` (`http://127.0.0.1:8000`).
    pub fn new(base: &str, token: Option<&str>) -> Self {
        Self {
            base: base.to_owned(),
            token: token.map(str::to_owned),
        }
    }

    /// `GET`.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    /// `DELETE`.
    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], None)
    }

    /// `POST` of JSON.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[], Some(body))
    }

    /// `PUT` of JSON.
    pub fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, &[], Some(body))
    }

    /// `PATCH` of JSON.
    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, &[], Some(body))
    }

    /// Any request; a JSON body brings its content type unless `headers` names another.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let body = body.map(Value::to_string);
        let mut all: Vec<(&str, &str)> = headers.to_vec();
        if body.is_some()
            && !headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            all.push(("Content-Type", "application/json"));
        }
        self.send_text(method, path, &all, &body.unwrap_or_default())
    }

    /// Any request with a body as it is; sent again while the service is busy.
    pub fn send_text(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        for _ in 1..ATTEMPTS {
            let answer = self.exchange(method, path, headers, body);
            let pause = answer
                .header("retry-after")
                .filter(|_| answer.status == 503);
            let Some(seconds) = pause.and_then(|seconds| seconds.parse().ok()) else {
                return answer;
            };
            eprintln!("{method} {path} is sent again: {answer}");
            thread::sleep(Duration::from_secs(seconds));
        }
        self.exchange(method, path, headers, body)
    }

    fn exchange(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            .build()
            .into();
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let request = request.body(body.to_owned()).expect("a request");
        let mut response = agent
            .run(request)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.to_string(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let text = response
            .body_mut()
            .with_config()
            .limit(LARGEST)
            .read_to_string()
            .expect("a body of text");
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer {
            status: response.status().as_u16(),
            headers,
            body: text,
            json,
        }
    }
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The records of a list.
    pub fn records(&self) -> &[Value] {
        self.json["data"]
            .as_array()
            .unwrap_or_else(|| panic!("no list: {self}"))
    }

    /// The `id`s of a list.
    pub fn ids(&self) -> Vec<i64> {
        self.records()
            .iter()
            .map(|record| record["id"].as_i64().expect("an integer id"))
            .collect()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.status, self.body)
    }
}
