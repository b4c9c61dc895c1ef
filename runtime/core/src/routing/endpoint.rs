//! Paths of resources, and the actions that answer there.

use std::{borrow::Cow, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    http::{Method, Uri},
};
use bytes::Bytes;
use formwork_data::error::{Error, Result};
use percent_encoding::percent_decode_str;

use super::{
    admission::{Admitted, Asked},
    body, change,
};
use crate::{
    action::{Action, Allow},
    context::Context,
    document::Expected,
    etag,
    registry::{Registry, Resource},
    response::Response,
    state::ServiceState,
};

/// A path of a resource: the actions that may answer there. Each request reads which of them are
/// enabled.
pub(super) struct Endpoint {
    /// The resource's index in the registry.
    resource: usize,
    actions: Vec<Action>,
    /// Which segment of the path, from its end, is the record's id: 0 the last.
    id: Option<usize>,
    /// The endpoint while none of its actions is on: `create` may be an id as well.
    otherwise: Option<Arc<Endpoint>>,
}

/// The path below a resource's key, the actions there, and the segment of the id.
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

/// The paths of every registered resource that some action may answer at.
pub(super) fn endpoints(registry: &Registry, prefix: &str) -> Vec<(String, Arc<Endpoint>)> {
    let mut found = Vec::new();
    for (index, entry) in registry.entries() {
        let Some(resource) = &entry.resource else {
            continue;
        };
        let [list, create, record, edit] = PATHS.map(|path| Endpoint::of(index, resource, path));
        let record = record.map(Arc::new);
        let create = create.map(|create| Endpoint {
            otherwise: record.clone(),
            ..create
        });
        let endpoints = [
            list.map(Arc::new),
            create.map(Arc::new),
            record,
            edit.map(Arc::new),
        ];
        for ((tail, ..), endpoint) in PATHS.into_iter().zip(endpoints) {
            let path = format!("{prefix}/{}{tail}", entry.key);
            found.extend(endpoint.map(|endpoint| (path, endpoint)));
        }
    }
    found
}

/// The tails of a resource's paths, and the actions there.
pub fn paths() -> impl Iterator<Item = (&'static str, &'static [Action])> {
    PATHS.into_iter().map(|(tail, actions, _)| (tail, actions))
}

/// The methods an action answers to.
pub fn methods(action: Action) -> &'static [Method] {
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
    /// The path of a resource where some of these actions are registered.
    fn of(
        index: usize,
        resource: &Resource,
        (_, actions, id): (&str, &[Action], Option<usize>),
    ) -> Option<Self> {
        let registered = |action: &&Action| {
            let mut entries = resource.registered().iter();
            entries.any(|entry| entry.action == **action)
        };
        let actions: Vec<Action> = actions.iter().filter(registered).copied().collect();
        (!actions.is_empty()).then_some(Self {
            resource: index,
            actions,
            id,
            otherwise: None,
        })
    }

    /// Answers a request at this path. Method, context, abilities and permission are checked, in this
    /// order, before the body is read.
    pub async fn answer(
        self: Arc<Self>,
        app: Arc<ServiceState>,
        request: Request,
        mut admitted: Admitted,
    ) -> Result<Response> {
        let (mut parts, body) = request.into_parts();
        let resource = self.resource(&app)?;
        let endpoint = self.present(resource);
        let (action, allow) = endpoint.action(resource, &parts.method)?;
        admitted.caller.check(allow)?;
        if let Some(account) = admitted.caller.account() {
            let required = resource.controller.required_abilities();
            account.abilities.check(required, action)?;
        }
        if admitted.caller.is_admin() {
            let entry = app.registry().get(endpoint.resource);
            let permission = entry.map(|entry| entry.permission(action));
            admitted.caller = admitted.caller.permitted(permission.as_deref(), allow)?;
        }
        let asked = Asked {
            action: Some(action),
            resource: Some(endpoint.resource),
            route: None,
        };
        let ctx = admitted.context(&app, &mut parts, asked)?;
        match action {
            Action::Store | Action::Update | Action::Destroy => {
                // In a box, so that the futures of reads stay small.
                Box::pin(endpoint.change(ctx, action, parts.uri, body)).await
            }
            _ => endpoint.act(ctx, action, body).await,
        }
    }

    /// The endpoint that answers at the path now.
    fn present(self: Arc<Self>, resource: &Resource) -> Arc<Self> {
        match &self.otherwise {
            Some(otherwise) if self.enabled(resource).next().is_none() => Arc::clone(otherwise),
            _ => self,
        }
    }

    /// Its actions that are on.
    fn enabled<'a>(&'a self, resource: &'a Resource) -> impl Iterator<Item = (Action, Allow)> {
        let actions = self.actions.iter();
        actions.filter_map(|action| Some((*action, resource.allow(*action)?)))
    }

    /// A record is stored, updated or destroyed. The body is read first: an incomplete body begins
    /// no work.
    async fn change(
        self: Arc<Self>,
        ctx: Context,
        action: Action,
        uri: Uri,
        body: Body,
    ) -> Result<Response> {
        let body = match action {
            Action::Destroy => Bytes::new(),
            _ => body::read(ctx.headers(), body, ctx.config().api.body_limit).await?,
        };
        let work = {
            let (ctx, body) = (ctx.clone(), Body::from(body.clone()));
            Box::pin(async move { self.act(ctx, action, body).await })
        };
        if action == Action::Store {
            change::once(&ctx, &uri, &body, work).await
        } else {
            change::run(&ctx, work).await
        }
    }

    /// The answer of the controller.
    async fn act(&self, mut ctx: Context, action: Action, body: Body) -> Result<Response> {
        let app = Arc::clone(ctx.app());
        let resource = self.resource(&app)?;
        let id = self.id(&ctx.request().path)?;
        if matches!(action, Action::Store | Action::Update) {
            let expected = self.expected(&ctx, resource, id.as_deref())?;
            let limit = app.config().api.body_limit;
            let input = body::input(ctx.headers(), body, limit, &expected).await;
            if let (Action::Update, Err(Error::Document(_))) = (action, &input) {
                // A missing record has no further checks (docs/contract.md, "Access").
                resource.controller.reach(&ctx, id.as_deref()).await?;
            }
            ctx = ctx.with_input(input?);
        }
        let answer = resource
            .controller
            .answer(ctx.clone(), action, id.as_deref());
        let response = answer.await.map_err(|error| ctx.input().locate(error))?;
        Ok(etag::revalidated(ctx.method(), ctx.headers(), response))
    }

    /// The body that this resource expects.
    fn expected<'a>(
        &self,
        ctx: &'a Context,
        resource: &Resource,
        id: Option<&'a str>,
    ) -> Result<Expected<'a>> {
        let registry = ctx.registry();
        Ok(Expected {
            entry: registry.get(self.resource).ok_or_else(unregistered)?,
            registry,
            attributes: resource.controller.attributes(),
            id,
            rendering: ctx.rendering(),
        })
    }

    fn resource<'a>(&self, app: &'a ServiceState) -> Result<&'a Resource> {
        let entry = app.registry().get(self.resource);
        entry
            .and_then(|entry| entry.resource.as_ref())
            .ok_or_else(unregistered)
    }

    /// The requested action.
    ///
    /// # Errors
    ///
    /// 404 where no action is on at this path, 405 where one with another method is.
    fn action(&self, resource: &Resource, method: &Method) -> Result<(Action, Allow)> {
        let mut enabled = self.enabled(resource);
        if let Some(found) = enabled.find(|(action, _)| methods(*action).contains(method)) {
            return Ok(found);
        }
        let enabled = self.enabled(resource).map(|(action, _)| action);
        let mut allowed = enabled.flat_map(methods).peekable();
        match allowed.peek() {
            Some(_) => Err(not_allowed(method, allowed)),
            None => Err(no_route()),
        }
    }

    /// The path segment that is the record's id, without its `%xx` escapes (RFC 3986, section 2.1).
    /// All other characters are themselves: `+`, `&` and `=` mean something in forms only.
    ///
    /// # Errors
    ///
    /// 404 where it is not UTF-8: no key is written like this.
    fn id(&self, path: &str) -> Result<Option<String>> {
        let segment = self.id.and_then(|place| path.rsplit('/').nth(place));
        let decoded = |segment| percent_decode_str(segment).decode_utf8();
        match segment.map(decoded).transpose() {
            Ok(id) => Ok(id.map(Cow::into_owned)),
            Err(_) => Err(Error::not_found()),
        }
    }
}

fn unregistered() -> Error {
    Error::internal("a route names a resource that is not registered")
}

/// 404 for a path without a route.
pub(super) fn no_route() -> Error {
    Error::NotFound("No route has this path.".to_owned())
}

/// 405 with the methods that are there.
pub fn not_allowed<'m>(method: &Method, allowed: impl Iterator<Item = &'m Method>) -> Error {
    let allow = allowed.map(Method::as_str).collect::<Vec<_>>().join(", ");
    Error::MethodNotAllowed {
        method: method.to_string(),
        allow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(path: &str) -> Result<Option<String>> {
        let endpoint = Endpoint {
            resource: 0,
            actions: vec![Action::Show],
            id: Some(0),
            otherwise: None,
        };
        endpoint.id(path)
    }

    #[test]
    fn ids_are_decoded() {
        for (segment, text) in [
            ("a%20b+c", "a b+c"),
            ("7", "7"),
            ("", ""),
            ("7&x=1", "7&x=1"),
            ("%26%3d%C3%A4%2F", "&=ä/"),
            ("%", "%"),
            ("%2", "%2"),
            ("%zz%+1", "%zz%+1"),
        ] {
            let id = id(&format!("/api/menus/{segment}"));
            assert_eq!(id.unwrap().as_deref(), Some(text), "{segment}");
        }
        assert!(id("/api/menus/%80").is_err() && id("/api/menus/a%ff").is_err());
    }
}
