//! `routes`.

use crate::{action::Action, app::App, registry::Entry, route::Route};

/// A line: method, path, action, who is let in.
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
    let enabled = Action::ALL
        .into_iter()
        .filter_map(|action| Some((action, resource.allow(action)?)));
    enabled
        .map(|(action, allow)| {
            let (methods, below) = route(action);
            let path = format!("{}/{}{below}", app.config().api.prefix, entry.key);
            (methods.to_owned(), path, action.name(), allow.name())
        })
        .collect()
}

/// Methods, and what follows the resource in the path: http.md, "Routes".
fn route(action: Action) -> (&'static str, &'static str) {
    match action {
        Action::Index => ("GET", ""),
        Action::Create => ("GET", "/create"),
        Action::Store => ("POST", ""),
        Action::Show => ("GET", "/{id}"),
        Action::Edit => ("GET", "/{id}/edit"),
        Action::Update => ("PUT,PATCH", "/{id}"),
        Action::Destroy => ("DELETE", "/{id}"),
    }
}
