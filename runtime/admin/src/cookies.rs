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
///
/// `is_local` is whether the browser runs on this machine.
pub(super) fn set(config: &Config, is_local: bool, name: &str, value: &str) -> String {
    cookie(config, is_local, name, value).to_string()
}

/// A `Set-Cookie` that deletes a cookie.
pub(super) fn clear(config: &Config, is_local: bool, name: &str) -> String {
    cookie(config, is_local, name, "").removal().to_string()
}

fn cookie<'c>(config: &Config, is_local: bool, name: &'c str, value: &'c str) -> CookieBuilder<'c> {
    let base = config.api.base_url.as_deref();
    Cookie::build((name, value))
        .path(path::base(config))
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(is_secure(base, is_local))
}

/// Whether browsers send a cookie by https alone: as `api.base_url` says, else unless the browser
/// runs on this machine.
fn is_secure(base_url: Option<&str>, is_local: bool) -> bool {
    base_url.map_or(!is_local, |base| base.starts_with("https://"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_cookies_in_the_form_that_the_area_issues_are_read() {
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
    fn cookies_are_secure_except_on_localhost_and_with_an_http_base_url() {
        let https = Some("https://x.example");
        let http = Some("http://x.example");
        for (base_url, is_local, secure) in [
            (None, true, false),
            (None, false, true),
            (https, true, true),
            (https, false, true),
            (http, true, false),
            (http, false, false),
        ] {
            assert_eq!(is_secure(base_url, is_local), secure, "{base_url:?}");
        }
    }
}
