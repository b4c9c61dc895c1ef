//! The screens, and their addresses.

use axum::http::Method;

use super::super::rows::Which;

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
}
