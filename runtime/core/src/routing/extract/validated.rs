//! Bodies and query strings as types of the project, refused in both renderings.

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    http::request::Parts,
};
use formwork_data::error::{Error, Result, ValidationErrors};
use formwork_vocabulary::inflect::words;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::{
    context::Context,
    input::Input,
    params::Pairs,
    request::check_own,
    routing::body,
    typed::{self, Mistakes},
};

/// The body of a request, a JSON object: it keeps the rules of its route ([`Route::rules`]), and is
/// read into a type of the project. Members that no rule names are left out; without rules, all
/// are read.
///
/// It refuses in both renderings: 415, 413, 400 for what is no JSON object, 422 with every mistake.
///
/// [`Route::rules`]: crate::route::Route::rules
#[derive(Debug, Clone, PartialEq)]
pub struct Validated<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Validated<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let ctx = Context::from_request_parts(&mut parts, state).await?;
        let route = ctx.route();
        let limit = route.and_then(|route| route.body_limit);
        let limit = limit.unwrap_or(ctx.config().api.body_limit);
        let input = Input::new(body::json_object(&parts.headers, body, limit).await?);
        let checked = match route.map_or(&[][..], |route| route.attributes()) {
            [] => input.clone(),
            rules => {
                let checked = check_own(&ctx, rules, &input).await;
                checked.map_err(|error| input.locate(error))?
            }
        };
        let members = Json::Object(checked.members().clone());
        let (read, mistakes) = typed::read(&members);
        let refused = || input.locate(refused(mistakes));
        read.map(Self).ok_or_else(refused)
    }
}

/// 422 with a message for each mistake.
fn refused(mistakes: Mistakes) -> Error {
    let mut errors = ValidationErrors::default();
    for (place, message) in mistakes.wrong {
        if place.is_empty() {
            return Error::Malformed(format!("The request body is invalid: {message}."));
        }
        let name = words(&place);
        errors.add(
            &place,
            match message.as_str() {
                typed::MISSING => format!("The {name} field is required."),
                message => format!("The {name} field is invalid: {message}."),
            },
        );
    }
    Error::Validation(errors)
}

/// The query string of a request, read into a type of the project. A name that is sent several times,
/// or that ends with `[]`, is a list.
///
/// It refuses in both renderings: 400 for a value of another type, and for an unknown parameter, with
/// the one that was probably meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let members = members(parts.uri.query().unwrap_or_default())?;
        let (read, mistakes) = typed::read(&Json::Object(members));
        if let Some((name, meant)) = mistakes.unknown.into_iter().next() {
            let hint = meant.map(|meant| format!(" Did you mean `{meant}`?"));
            let message = format!("The parameter is unknown.{}", hint.unwrap_or_default());
            return Err(Error::bad_parameter(name, message));
        }
        let wrong = mistakes.wrong.into_iter().next();
        let refused = || {
            let (name, message) = wrong.unwrap_or_default();
            Error::bad_parameter(name, format!("{message}."))
        };
        read.map(Self).ok_or_else(refused)
    }
}

fn members(query: &str) -> Result<Map<String, Json>> {
    let mut members = Map::new();
    for pair in Pairs::read(query).0 {
        pair.check()?;
        let listed = pair.name.strip_suffix("[]").map(str::to_owned);
        let is_list = listed.is_some();
        let value = Json::String(pair.value);
        match members.entry(listed.unwrap_or(pair.name)) {
            serde_json::map::Entry::Vacant(free) => {
                free.insert(if is_list {
                    Json::Array(vec![value])
                } else {
                    value
                });
            }
            serde_json::map::Entry::Occupied(mut known) => match known.get_mut() {
                Json::Array(items) => items.push(value),
                first => *first = Json::Array(vec![first.take(), value]),
            },
        }
    }
    Ok(members)
}
