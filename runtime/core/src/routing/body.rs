//! Bodies of requests: their media type, their size, their JSON.

use axum::{
    body::{Body, HttpBody},
    http::{HeaderMap, HeaderValue, header},
};
use bytes::Bytes;
use formwork_data::error::{Error, Result};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value as Json};

use super::media::MediaType;
use crate::{
    config::Config,
    document::{self, Expected},
    input::Input,
    rendering::{JSON, JSON_API},
};

/// The media type of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// `application/json`.
    Json,
    /// `application/vnd.api+json`, without parameters that the standard refuses.
    JsonApi,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// There is no `Content-Type`.
    Unsaid,
    /// Something else.
    Other,
}

/// The media type that `Content-Type` names; parameters such as `charset` are ignored, except where
/// the standard refuses them (jsonapi.org, "Content Negotiation"). Two such headers are refused,
/// because a proxy may have read the other one.
pub fn media(headers: &HeaderMap) -> Media {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Media::Unsaid,
        (Some(value), None) => value,
        (Some(_), Some(_)) => return Media::Other,
    };
    let media = MediaType::parse(value.to_str().unwrap_or_default());
    match media.essence.as_str() {
        JSON => Media::Json,
        JSON_API if media.is_plain_json_api() => Media::JsonApi,
        "application/x-www-form-urlencoded" => Media::Form,
        _ => Media::Other,
    }
}

/// Refuses the JSON:API media type with parameters that the standard refuses, whether a body follows
/// or not (jsonapi.org, "Content Negotiation").
///
/// # Errors
///
/// 415.
pub(crate) fn check_type(headers: &HeaderMap) -> Result<()> {
    let values = headers.get_all(header::CONTENT_TYPE).iter();
    let mut media = values.filter_map(|value| Some(MediaType::parse(value.to_str().ok()?)));
    if media.any(|media| media.essence == JSON_API && !media.is_plain_json_api()) {
        return Err(Error::UnsupportedMediaType(format!(
            "{JSON_API} is read without extensions; profile is its only parameter."
        )));
    }
    Ok(())
}

/// Reads the body for a resource: a JSON object or a JSON:API document.
///
/// # Errors
///
/// As [`json_object`]; what [`document::read`] finds.
pub(crate) async fn input(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    expected: &Expected<'_>,
) -> Result<Input> {
    let members = json_object(headers, body, limit).await?;
    if media(headers) == Media::JsonApi {
        return document::read(members, expected);
    }
    let mut input = Input::new(members);
    input.name_type(expected.attributes, expected.entry.key, expected.rendering);
    Ok(input)
}

/// The members of a JSON body. A missing body without a type is an object without members.
///
/// # Errors
///
/// 415 where it is something else, 413 where it is too large, 400 where it is no JSON object.
pub(crate) async fn json_object(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<Map<String, Json>> {
    match media(headers) {
        Media::Json | Media::JsonApi => parse(&read(headers, body, limit).await?),
        Media::Unsaid => match read(headers, body, limit).await? {
            bytes if bytes.is_empty() => Ok(Map::new()),
            _ => Err(unsupported(READ)),
        },
        Media::Form | Media::Other => Err(unsupported(READ)),
    }
}

/// The media types of a record's body.
const READ: &str = "application/json or application/vnd.api+json";

/// Bytes of a sign-in's body at most, wherever it is sent to: everyone may send one, and its fields are
/// short.
const SIGN_IN_LIMIT: usize = 16 * 1024;

/// Returns the limit of a sign-in's body: `api.body_limit` may be even lower.
pub fn sign_in_limit(config: &Config) -> usize {
    config.api.body_limit.min(SIGN_IN_LIMIT)
}

/// 415 naming the accepted media types.
pub fn unsupported(expected: &str) -> Error {
    Error::UnsupportedMediaType(format!(
        "The body has to be sent as Content-Type: {expected}."
    ))
}

/// The whole body.
///
/// # Errors
///
/// 415 where it is compressed, 413 where it is larger than `limit`, 400 where it ends too early.
pub async fn read(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes> {
    plain(headers)?;
    if body.size_hint().lower() > limit as u64 {
        return Err(Error::TooLarge(limit));
    }
    match Limited::new(body, limit).collect().await {
        Ok(read) => Ok(read.to_bytes()),
        Err(error) if is_too_large(&*error) => Err(Error::TooLarge(limit)),
        Err(_) => {
            let message = "The request body could not be read.";
            Err(Error::Malformed(message.to_owned()))
        }
    }
}

/// Whether a limit of the body ended it, this one or another around it.
pub(super) fn is_too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut errors = std::iter::successors(Some(error), |error| error.source());
    errors.any(|error| error.is::<LengthLimitError>())
}

/// Refuses a body of another media type than these, which may end with `/*`. A request without a
/// body has none.
///
/// # Errors
///
/// 415.
pub(super) fn check_accepted(headers: &HeaderMap, body: &Body, accepted: &[&str]) -> Result<()> {
    let sent = headers.get(header::CONTENT_TYPE);
    if accepted.is_empty() || (sent.is_none() && body.is_end_stream()) {
        return Ok(());
    }
    let sent = sent
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = MediaType::parse(sent).essence;
    let fits = |accepted: &str| match accepted.strip_suffix('*') {
        Some(family) => essence.starts_with(family),
        None => essence == accepted,
    };
    if accepted.iter().any(|accepted| fits(accepted)) {
        return Ok(());
    }
    Err(unsupported(&accepted.join(" or ")))
}

/// A body is read as it is sent: no coding is undone.
fn plain(headers: &HeaderMap) -> Result<()> {
    let coded = |value: &HeaderValue| !value.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(header::CONTENT_ENCODING).iter().any(coded) {
        return Err(Error::UnsupportedCoding);
    }
    Ok(())
}

/// The members of a JSON object.
///
/// # Errors
///
/// 400 where it is none.
pub(crate) fn parse(bytes: &[u8]) -> Result<Map<String, Json>> {
    match serde_json::from_slice(bytes) {
        Ok(Json::Object(members)) => Ok(members),
        Ok(_) => Err(Error::Malformed(
            "The request body must be a JSON object.".to_owned(),
        )),
        Err(error) => Err(Error::Malformed(format!(
            "The request body is not valid JSON: {error}."
        ))),
    }
}
