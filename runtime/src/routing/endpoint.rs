//! Paths of resources, and the actions that answer there.

use std::sync::Arc;

use axum::{
    extract::Request,
    http::{Method, request::Parts},
    response::IntoResponse,
};

use super::{accept, body, client};
use crate::{
    action::{Action, Allow},
    app::{App, Statements},
    context::{Context, RequestFacts},
    database::Db,
    error::{Error, Result},
    registry::{Registry, Resource},
    request::Input,
    response::Response,
};

/// A path of a resource: its actions by method.
pub(super) struct Endpoint {
    /// The resource's index in the registry.
    resource: usize,
    actions: Vec<(Action, Allow)>,
    /// Which segment of the path, from its end, is the record's id: 0 the last.
    id: Option<usize>,
}

/// What follows a resource's key, the actions there, and where the id stands.
const PATHS: [(&str, &[Action], Option<usize>); 4] = [
    ("", &[Action::Index, Action::Store], None),
    ("/create", &[Action::Create], None),
    (
        "/{id}",
        &[Action::Show, Action::Update, Action::Destroy],
        Some(0),
    ),
    ("/{id}/edit", &[Action::Edit], Some(1)),
];

/// The paths of every registered resource that some action answers at.
pub(super) fn endpoints(registry: &Registry, prefix: &str) -> Vec<(String, Endpoint)> {
    let mut found = Vec::new();
    for (index, entry) in registry.entries() {
        let Some(resource) = &entry.resource else {
            continue;
        };
        for (tail, actions, id) in PATHS {
            let actions = enabled(resource, actions);
            if !actions.is_empty() {
                let path = format!("{prefix}/{}{tail}", entry.key);
                found.push((
                    path,
                    Endpoint {
                        resource: index,
                        actions,
                        id,
                    },
                ));
            }
        }
    }
    found
}

fn enabled(resource: &Resource, actions: &[Action]) -> Vec<(Action, Allow)> {
    let allowed = |action: &Action| resource.allow(*action).map(|allow| (*action, allow));
    actions.iter().filter_map(allowed).collect()
}

/// The methods an action answers to.
pub(crate) fn methods(action: Action) -> &'static [Method] {
    match action {
        Action::Index | Action::Create | Action::Show | Action::Edit => {
            &[Method::GET, Method::HEAD]
        }
        Action::Store => &[Method::POST],
        Action::Update => &[Method::PUT, Method::PATCH],
        Action::Destroy => &[Method::DELETE],
    }
}

impl Endpoint {
    /// Answers a request at this path.
    pub async fn answer(&self, app: Arc<App>, request: Request) -> axum::response::Response {
        let db = app.db().for_request();
        let answer = self.try_answer(&app, request, &db).await;
        let mut response = answer.into_response();
        response
            .extensions_mut()
            .insert(Statements(db.statements()));
        response
    }

    async fn try_answer(&self, app: &Arc<App>, request: Request, db: &Db) -> Result<Response> {
        let (parts, body) = request.into_parts();
        let (action, allow) = self.action(&parts.method)?;
        let resource = self.resource(app)?;
        let facts = self.admitted(app, &parts, db, (action, allow)).await?;
        let mut ctx = Context::new(Arc::clone(app), facts).with_db(db.clone());
        if matches!(action, Action::Store | Action::Update) {
            let limit = app.config().api.body_limit;
            let members = body::json_object(&parts.headers, body, limit).await?;
            ctx = ctx.with_input(Input::new(members));
        }
        let id = self.id(parts.uri.path());
        resource.controller.answer(ctx, action, id.as_deref()).await
    }

    /// Who asks, and for what, once he may: the order of checks is the contract's (http.md, "Who
    /// may do what").
    async fn admitted(
        &self,
        app: &App,
        parts: &Parts,
        db: &Db,
        (action, allow): (Action, Allow),
    ) -> Result<RequestFacts> {
        let now = app.now();
        let caller = app.auth().caller(db, &parts.headers, now).await?;
        allow.check(&caller)?;
        if let Some(account) = caller.account() {
            let required = self.resource(app)?.controller.required_abilities();
            account.abilities.check(required, action)?;
        }
        accept::check(&parts.headers)?;
        Ok(RequestFacts {
            caller,
            action: Some(action),
            resource: Some(self.resource),
            partial: parts.method == Method::PATCH,
            client: client::client(parts, app.config()),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            now,
        })
    }

    fn resource<'a>(&self, app: &'a App) -> Result<&'a Resource> {
        let entry = app.registry().get(self.resource);
        entry
            .and_then(|entry| entry.resource.as_ref())
            .ok_or_else(|| Error::internal("a route names a resource that is not registered"))
    }

    fn action(&self, method: &Method) -> Result<(Action, Allow)> {
        self.actions
            .iter()
            .find(|(action, _)| methods(*action).contains(method))
            .copied()
            .ok_or_else(|| {
                let allowed = self.actions.iter().flat_map(|(action, _)| methods(*action));
                not_allowed(method, allowed)
            })
    }

    /// The path segment that is the record's id, decoded.
    fn id(&self, path: &str) -> Option<String> {
        let segment = path.rsplit('/').nth(self.id?)?;
        Some(percent_decoded(segment))
    }
}

/// 405 with the methods that are there.
pub(super) fn not_allowed<'m>(method: &Method, allowed: impl Iterator<Item = &'m Method>) -> Error {
    let allow = allowed.map(Method::as_str).collect::<Vec<_>>().join(", ");
    Error::MethodNotAllowed {
        method: method.to_string(),
        allow,
    }
}

/// A segment without its `%xx` escapes; what is no UTF-8 then is no key either.
fn percent_decoded(segment: &str) -> String {
    // A plus is itself in a path; in a form it is a space.
    let kept = segment.replace('+', "%2B");
    form_urlencoded::parse(kept.as_bytes())
        .next()
        .map(|(name, _)| name.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_decoded() {
        assert_eq!(percent_decoded("a%20b+c"), "a b+c");
        assert_eq!(percent_decoded("12"), "12");
        assert_eq!(percent_decoded(""), "");
    }

    #[test]
    fn a_path_says_which_methods_it_knows() {
        let endpoint = Endpoint {
            resource: 0,
            actions: vec![(Action::Show, Allow::All), (Action::Update, Allow::Admin)],
            id: Some(0),
        };
        assert_eq!(endpoint.action(&Method::HEAD).unwrap().0, Action::Show);
        assert_eq!(endpoint.action(&Method::PATCH).unwrap().0, Action::Update);
        match endpoint.action(&Method::DELETE) {
            Err(Error::MethodNotAllowed { allow, .. }) => {
                assert_eq!(allow, "GET, HEAD, PUT, PATCH");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(endpoint.id("/api/menus/7").as_deref(), Some("7"));
    }
}
