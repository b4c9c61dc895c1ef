//! `Accept`: whether the client takes what is produced (http.md, "Media types").

use axum::http::{HeaderMap, header};

use crate::error::{Error, Result};

/// Lets requests pass that accept JSON.
///
/// # Errors
///
/// 406 where nothing that is produced will do.
pub(super) fn check(headers: &HeaderMap) -> Result<()> {
    let mut ranges = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|range| !range.is_empty())
        .peekable();
    if ranges.peek().is_none() || ranges.any(is_json) {
        Ok(())
    } else {
        let message = "Only application/json is produced; send Accept: application/json.";
        Err(Error::NotAcceptable(message.to_owned()))
    }
}

/// Whether a media range takes JSON. `q=0` says that it does not.
fn is_json(range: &str) -> bool {
    let mut parts = range
        .split(';')
        .map(|part| part.trim().to_ascii_lowercase());
    let media = parts.next().unwrap_or_default();
    let refused = parts.any(|part| {
        part.strip_prefix("q=")
            .and_then(|q| q.trim().parse::<f32>().ok())
            .is_some_and(|q| q <= 0.0)
    });
    !refused && matches!(media.as_str(), "application/json" | "application/*" | "*/*")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn accepted(value: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(value));
        check(&headers).is_ok()
    }

    #[test]
    fn json_is_what_there_is() {
        assert!(check(&HeaderMap::new()).is_ok());
        for good in [
            "application/json",
            "*/*",
            "text/html, */*;q=0.1",
            "application/json; charset=utf-8",
            "Application/JSON",
            "",
        ] {
            assert!(accepted(good), "{good}");
        }
        for bad in [
            "text/html",
            "application/vnd.api+json",
            "application/json;q=0",
            "image/*",
        ] {
            assert!(!accepted(bad), "{bad}");
        }
    }
}
