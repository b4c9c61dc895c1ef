//! `routes`.

use axum::http::Method;
use formwork_core::{
    action::{Action, ActionEntry},
    registry::Entry,
    route::Route,
    routing,
};

use crate::app::App;

/// A line: method, path, action, context.
type Line = (String, String, &'static str, &'static str);

/// Prints a line for each route of a resource, and of an extension's own.
pub(super) fn print(app: &App) {
    let registry = app.registry();
    let resources = registry.entries().flat_map(|(_, entry)| lines(app, entry));
    let own = registry.routes().iter().map(|route| own(app, route));
    let lines: Vec<Line> = resources.chain(own).collect();
    let width = lines
        .iter()
        .map(|line| line.1.len())
        .max()
        .unwrap_or_default();
    for (methods, path, action, allow) in lines {
        println!("{methods:<9}  {path:<width$}  {action:<7}  {allow}");
    }
}

fn own(app: &App, route: &Route) -> Line {
    let path = format!("{}{}", app.config().api.prefix, route.path());
    (route.method().to_string(), path, "-", route.allow().name())
}

fn lines(app: &App, entry: &Entry) -> Vec<Line> {
    let Some(resource) = &entry.resource else {
        return Vec::new();
    };
    resource
        .enabled()
        .map(|ActionEntry { action, allow }| {
            let (methods, below) = route(action);
            let path = format!("{}/{}{below}", app.config().api.prefix, entry.key);
            (methods, path, action.name(), allow.name())
        })
        .collect()
}

/// The methods of an action, and its path below the resource. `HEAD` is left out.
fn route(action: Action) -> (String, &'static str) {
    let mut paths = routing::paths();
    let place = paths.find(|(_, actions)| actions.contains(&action));
    let methods = routing::methods(action).iter().map(Method::as_str);
    let methods: Vec<&str> = methods.filter(|method| *method != "HEAD").collect();
    (methods.join(","), place.map_or("", |(tail, _)| tail))
}
