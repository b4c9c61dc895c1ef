//! `routes`.

use crate::{action::Action, app::App, registry::Entry};

/// Prints a line for each route of a resource: method, path, action, who is let in.
pub(super) fn print(app: &App) {
    let lines: Vec<_> = app
        .registry()
        .entries()
        .flat_map(|(_, entry)| lines(app, entry))
        .collect();
    let width = lines
        .iter()
        .map(|line| line.1.len())
        .max()
        .unwrap_or_default();
    for (methods, path, action, allow) in lines {
        println!("{methods:<9}  {path:<width$}  {action:<7}  {allow}");
    }
}

fn lines(app: &App, entry: &Entry) -> Vec<(&'static str, String, &'static str, &'static str)> {
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
            (methods, path, action.name(), allow.name())
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
