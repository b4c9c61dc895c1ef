//! Pages of other origins: `api.cors`. By default any origin may call, without credentials.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};

use crate::config::CorsConfig;

/// What the origin of a request may see, decided when it arrives.
#[derive(Debug, Clone)]
pub(super) struct Permission {
    origin: HeaderValue,
    preflight: bool,
    /// The headers a browser asks to send.
    asked: HeaderValue,
}

/// What scripts of other origins may read, beside the body.
const EXPOSED: &str = "ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, \
    Retry-After, X-Request-Id";

/// Every method a route answers to.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";

impl Permission {
    /// Nothing for requests without `Origin`, or from one that is not listed.
    pub fn of(parts: &Parts, config: &CorsConfig) -> Option<Self> {
        let origin = parts.headers.get(header::ORIGIN)?;
        let any = any_origin(config);
        if !any
            && !config
                .origins
                .iter()
                .any(|listed| listed.as_bytes() == origin.as_bytes())
        {
            return None;
        }
        // With credentials browsers insist on the origin's own name.
        let named = !any || config.credentials;
        let preflight = parts.method == Method::OPTIONS
            && parts
                .headers
                .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let star = HeaderValue::from_static("*");
        let origin = if named { origin.clone() } else { star };
        let asked = parts
            .headers
            .get(header::ACCESS_CONTROL_REQUEST_HEADERS)
            .cloned();
        Some(Self {
            origin,
            preflight,
            asked: asked.unwrap_or_else(|| HeaderValue::from_static("")),
        })
    }

    /// The answer to a browser that asks before it sends; `None` for the request itself.
    pub fn preflight(&self, config: &CorsConfig) -> Option<axum::response::Response> {
        if !self.preflight {
            return None;
        }
        let mut response = axum::response::Response::default();
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        let every = |list: &[String]| list.iter().any(|word| word == "*");
        let methods = config.methods.join(", ");
        let methods = if every(&config.methods) {
            METHODS
        } else {
            &methods
        };
        set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        // A star would not mean `Authorization`: what is asked for is named.
        if every(&config.headers) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, self.asked.clone());
        } else {
            set(
                headers,
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                &config.headers.join(", "),
            );
        }
        let age = config.max_age.as_secs();
        set(headers, header::ACCESS_CONTROL_MAX_AGE, &age.to_string());
        Some(response)
    }

    fn tell(self, headers: &mut HeaderMap, config: &CorsConfig) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.origin);
        if config.credentials {
            set(headers, header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
        }
        set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

/// Tells the browser. Where the answer to one origin is not that to another, caches keep them apart,
/// and apart from that to nobody's page (fetch.spec.whatwg.org, "CORS protocol and HTTP caches").
pub(super) fn tell(permission: Option<Permission>, headers: &mut HeaderMap, config: &CorsConfig) {
    if !any_origin(config) || config.credentials {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(permission) = permission {
        permission.tell(headers, config);
    }
}

fn any_origin(config: &CorsConfig) -> bool {
    config.origins.iter().any(|listed| listed == "*")
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::Request;

    use super::*;

    fn config(origin: &str, credentials: bool) -> CorsConfig {
        CorsConfig {
            origins: vec![origin.to_owned()],
            methods: vec!["GET".to_owned(), "POST".to_owned()],
            headers: vec!["Authorization".to_owned()],
            credentials,
            max_age: Duration::from_secs(60),
        }
    }

    fn asked(method: Method, config: &CorsConfig) -> Option<Permission> {
        let request = Request::builder()
            .method(method)
            .header(header::ORIGIN, "https://shop.example")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization")
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST");
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        Permission::of(&parts, config)
    }

    fn told(config: &CorsConfig) -> HeaderMap {
        let mut headers = HeaderMap::new();
        tell(asked(Method::GET, config), &mut headers, config);
        headers
    }

    #[test]
    fn any_origin_is_a_star_and_one_with_credentials_its_name() {
        let headers = told(&config("*", false));
        assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert!(!headers.contains_key(header::VARY));
        let headers = told(&config("*", true));
        assert_eq!(
            headers[header::ACCESS_CONTROL_ALLOW_ORIGIN],
            "https://shop.example"
        );
        assert_eq!(headers[header::VARY], "Origin");
        let other = told(&config("https://other.example", false));
        assert!(!other.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
        assert_eq!(other[header::VARY], "Origin");
    }

    #[test]
    fn a_browser_that_asks_first_is_answered() {
        let config = config("https://shop.example", false);
        let permission = asked(Method::OPTIONS, &config).expect("permission");
        let answer = permission.preflight(&config).expect("an answer");
        assert_eq!(
            answer.headers()[header::ACCESS_CONTROL_ALLOW_METHODS],
            "GET, POST"
        );
        assert_eq!(answer.headers()[header::ACCESS_CONTROL_MAX_AGE], "60");
        let get = asked(Method::GET, &config).expect("permission");
        assert!(get.preflight(&config).is_none());
        let star = CorsConfig {
            headers: vec!["*".to_owned()],
            ..config
        };
        let permission = asked(Method::OPTIONS, &star).expect("permission");
        let answer = permission.preflight(&star).expect("an answer");
        assert_eq!(
            answer.headers()[header::ACCESS_CONTROL_ALLOW_HEADERS],
            "authorization"
        );
    }
}
