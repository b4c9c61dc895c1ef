//! The cookies of the admin area (RFC 6265): not readable by scripts, not sent by requests of other
//! sites, nor to paths outside of the area.

use axum::http::{HeaderMap, header};
use cookie::{Cookie, CookieBuilder, SameSite};
use formwork_core::config::Config;

use super::path;

/// Holds the secret of a session.
pub(super) const SESSION: &str = "formwork_admin";

/// Ties the form that signs in to the browser it was shown to.
pub(super) const FORM: &str = "formwork_admin_form";

/// Longest value that is looked at.
const LONGEST: usize = 64;

/// Most values of one name that are looked at.
const MOST: usize = 4;

/// The first value of a cookie: letters and digits, as the area hands them out.
pub(super) fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    all(headers, name).next()
}

/// The values of a cookie. Another site of the domain, or a path above, may have set one of the
/// same name; browsers do not send their origin (RFC 6265, section 4.2.2).
pub(super) fn all<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(header::COOKIE).iter();
    let cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok);
    let values = cookies.filter(move |cookie| cookie.name() == name);
    let values = values.filter_map(|cookie| cookie.value_raw());
    values.filter(|value| is_own(value)).take(MOST)
}

/// Whether the area may have issued this value.
fn is_own(value: &str) -> bool {
    let legal = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    legal && (1..=LONGEST).contains(&value.len())
}

/// A `Set-Cookie` that lasts as long as the browser's session.
pub(super) fn set(config: &Config, name: &str, value: &str) -> String {
    cookie(config, name, value).to_string()
}

/// A `Set-Cookie` that deletes a cookie.
pub(super) fn clear(config: &Config, name: &str) -> String {
    cookie(config, name, "").removal().to_string()
}

fn cookie<'c>(config: &Config, name: &'c str, value: &'c str) -> CookieBuilder<'c> {
    Cookie::build((name, value))
        .path(path::public(config))
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(is_secure(config))
}

/// Whether clients reach the service by https: `api.base_url` says so.
fn is_secure(config: &Config) -> bool {
    let base = config.api.base_url.as_deref();
    base.is_some_and(|base| base.starts_with("https://"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_what_the_area_hands_out_is_read() {
        let read = |line: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_static(line));
            super::read(&headers, SESSION).map(str::to_owned)
        };
        assert_eq!(
            read("a=b; formwork_admin=Abc1; c=d").as_deref(),
            Some("Abc1")
        );
        for none in [
            "",
            "formwork_admin=",
            "formwork_admin=a.b",
            "formwork_admin_form=abc",
            "xformwork_admin=abc",
            "formwork_admin",
        ] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn https_makes_cookies_secure() {
        let config = |yaml| Config::from_sources(yaml, []).expect("a configuration");
        let plain = set(&config("admin: { path: /back/office }"), SESSION, "x");
        assert_eq!(
            plain,
            "formwork_admin=x; HttpOnly; SameSite=Strict; Path=/back/office"
        );
        let secure = set(
            &config("api: { base_url: 'https://x.example' }"),
            SESSION,
            "x",
        );
        assert!(secure.contains("; Secure;"), "{secure}");
    }
}
