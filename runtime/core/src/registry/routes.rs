//! Mistakes of routes among each other and with those of the service.

use std::collections::BTreeMap;

use crate::{input::Rule, route::Route};

/// Mistakes of routes among each other and with those of the service, in sentences.
pub(super) fn misplaced(routes: &[Route], keys: &[&str], reserved: &[&str]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut known: BTreeMap<String, Vec<&Route>> = BTreeMap::new();
    for route in routes {
        if !is_path(route.path()) {
            mistakes.push(format!(
                "the route {route:?} has no path: it begins with `/`, and its segments are letters, \
                 digits, `-`, `_` and `.`, or a name in braces, each name once"
            ));
        }
        if is_taken(&route.shape(), keys, reserved) {
            mistakes.push(format!(
                "the route {route:?} has a path that is reserved for the service"
            ));
        }
        let has_unique = |rule: &Rule| *rule == Rule::Unique;
        if route
            .attributes()
            .iter()
            .any(|it| it.rules(true).any(has_unique))
        {
            mistakes.push(format!(
                "the route {route:?} has the rule `unique`, which needs a resource"
            ));
        }
        if let Some(key) = route.resource_key().filter(|key| !keys.contains(key)) {
            mistakes.push(format!(
                "the route {route:?} names `{key}`, which is not a resource"
            ));
        }
        let same = known.entry(route.shape()).or_default();
        if same.iter().any(|other| other.method() == route.method()) {
            mistakes.push(format!("the route {route:?} is declared twice"));
        } else if same.iter().any(|other| other.path() != route.path()) {
            mistakes.push(format!(
                "the route {route:?} names the parameters of its path differently from another route"
            ));
        }
        same.push(route);
    }
    mistakes.extend(below_routers(routes));
    mistakes
}

/// Routes at the path of a nested router, or below it.
fn below_routers(routes: &[Route]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for outer in routes.iter().filter(|route| route.is_nested()) {
        let shape = outer.shape();
        let is_below = |path: &str| {
            let rest = path.strip_prefix(&shape);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let others = routes.iter().filter(|other| !std::ptr::eq(*other, outer));
        for other in others.filter(|other| is_below(&other.shape())) {
            mistakes.push(format!(
                "the route {other:?} is below the router {outer:?}: add it to that router"
            ));
        }
    }
    mistakes
}

fn is_path(path: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let mut names = Vec::new();
    let mut segment = |segment: &str| {
        let name = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let text = name.unwrap_or(segment);
        let twice = name.is_some_and(|name| names.contains(&name.to_owned()));
        names.extend(name.map(str::to_owned));
        !text.is_empty() && !twice && text.bytes().all(legal)
    };
    path.strip_prefix('/')
        .is_some_and(|rest| rest.split('/').all(&mut segment))
}

/// Whether a resource or the service itself answers at this path, or may do so.
fn is_taken(shape: &str, keys: &[&str], reserved: &[&str]) -> bool {
    let takes = |path: &&str| shape == *path || (path.ends_with('/') && shape.starts_with(*path));
    if reserved.iter().any(takes) {
        return true;
    }
    let mut parts = shape.split('/').skip(1);
    let (first, rest) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
    keys.contains(&first) && matches!(rest[..], [] | ["create"] | ["{}"] | ["{}", "edit"])
}

#[cfg(test)]
mod tests {
    use formwork_data::error::Result;

    use super::*;
    use crate::{
        action::Allow,
        context::Context,
        input::{Attribute, attribute, rules::unique},
        response::Response,
    };

    async fn nothing(_ctx: Context) -> Result<Response> {
        Ok(Response::no_content())
    }

    fn told(routes: &[(&'static str, &'static str)]) -> Vec<String> {
        let route = |(method, path): &(&str, &'static str)| match *method {
            "GET" => Route::get(path, Allow::All, nothing),
            _ => Route::post(path, Allow::All, nothing),
        };
        let routes: Vec<Route> = routes.iter().map(route).collect();
        misplaced(&routes, &["orders"], &["/token", "/pages/"])
    }

    #[test]
    fn routes_that_stand_beside_the_service_s_are_fine() {
        let fine = [
            ("POST", "/orders/{id}/pay"),
            ("GET", "/orders/{id}/pay"),
            ("GET", "/orders/{id}/lines/{line}"),
            ("GET", "/opening-hours.ics"),
            ("GET", "/orders/{id}/edit/more"),
            ("GET", "/token/more"),
            ("GET", "/pages"),
        ];
        assert_eq!(told(&fine), Vec::<String>::new());
    }

    #[test]
    fn every_mistake_is_reported() {
        for path in [
            "", "orders", "/", "/a//b", "/a b", "/{}", "/{*rest}", "/{a}/{a}", "/a{b}",
        ] {
            assert!(told(&[("GET", path)])[0].contains("has no path"), "{path}");
        }
        for path in [
            "/token",
            "/pages/{page}/more",
            "/orders",
            "/orders/{key}",
            "/orders/create",
        ] {
            assert!(told(&[("GET", path)])[0].contains("reserved"), "{path}");
        }
        let twice = told(&[("GET", "/a/{b}"), ("GET", "/a/{c}")]);
        assert!(twice[0].contains("is declared twice"), "{twice:?}");
        let otherwise = told(&[("GET", "/a/{b}"), ("POST", "/a/{c}")]);
        assert!(otherwise[0].contains("differently"), "{otherwise:?}");
        let route = Route::get("/a", Allow::All, nothing).resource("menus");
        assert!(misplaced(&[route], &["orders"], &[])[0].contains("not a resource"));
        const UNIQUE: &[Attribute] = &[attribute("a", &[unique()])];
        let route = Route::post("/a", Allow::All, nothing).rules(UNIQUE);
        assert!(misplaced(&[route], &[], &[])[0].contains("needs a resource"));
        let nest = |path| Route::nest(path, Allow::All, axum::Router::new());
        let below = [nest("/files"), Route::get("/files/x", Allow::All, nothing)];
        assert!(misplaced(&below, &[], &[])[0].contains("is below the router"));
        assert!(misplaced(&[nest("/orders")], &["orders"], &[])[0].contains("reserved"));
        let beside = [
            nest("/orders/{id}/files"),
            Route::get("/files", Allow::All, nothing),
        ];
        assert_eq!(misplaced(&beside, &["orders"], &[]), Vec::<String>::new());
    }
}
