//! The page that was asked for before the sign-in.

use axum::http::Method;

use super::{super::admin_request::AdminRequest, confirm::selection, screen::Screen};

/// The parameter and the field that name it.
pub(super) const NEXT: &str = "next";

/// A page of the area, to be asked for by GET: its path below `admin.path` and its query string,
/// `resources/menus/edit`, `tokens/delete?ids=1`. It never leads out of the area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination(String);

impl Destination {
    /// The requested page, or the page of the form that the request sent; `None` for the start
    /// page.
    pub fn of(request: &AdminRequest, screen: Screen<'_>) -> Option<Self> {
        let query = match (request.method == Method::POST, screen) {
            (false, _) => request.query.clone(),
            (true, Screen::DeleteResources | Screen::Revoke) => selection(&request.ids()),
            (true, _) => String::new(),
        };
        let address = match query.as_str() {
            "" => request.path.clone(),
            query => format!("{}?{query}", request.path),
        };
        Self::read(&address)
    }

    /// The page of this address, if the area has it and it is not the beginning.
    pub fn read(address: &str) -> Option<Self> {
        let screen = Screen::at(path(address))?;
        let is_page = !matches!(screen, Screen::Home | Screen::Login | Screen::Logout);
        let is_legal = address.bytes().all(|byte| byte.is_ascii_graphic());
        (is_page && is_legal).then(|| Self(address.to_owned()))
    }

    /// Its screen.
    pub fn screen(&self) -> Option<Screen<'_>> {
        Screen::at(path(&self.0))
    }

    /// Below `admin.path`, without the slash at its beginning.
    pub fn address(&self) -> &str {
        &self.0
    }
}

fn path(address: &str) -> &str {
    address.split('?').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_area_are_led_to() {
        for own in ["resources", "resources/menus/edit", "tokens/delete?ids=1"] {
            let read = Destination::read(own);
            assert_eq!(read.as_ref().map(Destination::address), Some(own));
        }
        for none in [
            "",
            "login",
            "logout",
            "/resources",
            "//evil.example",
            "https://evil.example",
            "resources/../x",
            "resources?a\r\nb: c",
            "resources?a b",
            "resources?\u{e9}",
        ] {
            assert_eq!(Destination::read(none), None, "{none:?}");
        }
    }
}
