//! The screens, their addresses, and the page that was asked for before the sign-in.

use axum::http::Method;

use super::{
    super::{admin_request::AdminRequest, rows::Which},
    confirm::selection,
};

/// A screen, or what a form of one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen<'p> {
    Home,
    Login,
    Logout,
    Resources,
    DeleteResources,
    Resource(Which<'p>),
    Edit(Which<'p>),
    Docs(Which<'p>),
    Tokens,
    Revoke,
}

impl<'p> Screen<'p> {
    /// The screen at a path below `admin.path`.
    pub fn at(path: &'p str) -> Option<Self> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments[..] {
            [""] => Some(Self::Home),
            ["login"] => Some(Self::Login),
            ["logout"] => Some(Self::Logout),
            ["resources"] => Some(Self::Resources),
            ["resources", "delete"] => Some(Self::DeleteResources),
            ["resources", which] => Which::at(which).map(Self::Resource),
            ["resources", which, "edit"] => Which::at(which).map(Self::Edit),
            ["resources", which, "docs"] => Which::at(which).map(Self::Docs),
            ["tokens"] => Some(Self::Tokens),
            ["tokens", "delete"] => Some(Self::Revoke),
            _ => None,
        }
    }

    /// The methods it answers to.
    pub fn methods(self) -> &'static [Method] {
        match self {
            Self::Logout => &[Method::POST],
            Self::Login | Self::Edit(_) | Self::DeleteResources | Self::Revoke => {
                &[Method::GET, Method::HEAD, Method::POST]
            }
            _ => &[Method::GET, Method::HEAD],
        }
    }
}

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
        let screen = Screen::at(address.split('?').next().unwrap_or_default())?;
        let is_page = !matches!(screen, Screen::Home | Screen::Login | Screen::Logout);
        let is_legal = address.bytes().all(|byte| byte.is_ascii_graphic());
        (is_page && is_legal).then(|| Self(address.to_owned()))
    }

    /// Returns its screen.
    pub fn screen(&self) -> Option<Screen<'_>> {
        Screen::at(self.0.split('?').next().unwrap_or_default())
    }

    /// Below `admin.path`, without the slash at its beginning.
    pub fn address(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_have_one_address_each() {
        assert_eq!(Screen::at(""), Some(Screen::Home));
        let edit = |which| Some(Screen::Edit(which));
        assert_eq!(Screen::at("resources/7/edit"), edit(Which::Id(7)));
        let menus = Which::Endpoint("menu-items");
        assert_eq!(Screen::at("resources/menu-items/edit"), edit(menus));
        assert_eq!(
            Screen::at("resources/delete"),
            Some(Screen::DeleteResources)
        );
        for none in [
            "x",
            "/",
            "login/",
            "resources/",
            "resources/X",
            "resources/7x",
            "resources/x.y",
            "resources/07",
            "resources/+7",
            "resources/7/",
            "resources/7/x",
            "resources/x/x",
            "tokens/7",
            "resources/99999999999999999999",
        ] {
            assert_eq!(Screen::at(none), None, "{none}");
        }
    }

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
