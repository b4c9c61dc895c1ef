//! `Accept`: which of the two renderings a client gets (RFC 9110, section 12.5.1; JSON:API 1.1,
//! "Content Negotiation").

use axum::http::{HeaderMap, HeaderValue, header};
use formwork_data::error::{Error, Result};

use super::media::{self, MediaType};
use crate::{
    config::SerializerKind,
    rendering::{JSON, JSON_API, Rendering},
    response::Response,
};

/// The rendering a client wants.
///
/// # Errors
///
/// 406 where neither is accepted, or every instance of the JSON:API media type has parameters that
/// the standard refuses.
pub(crate) fn negotiate(headers: &HeaderMap, serializer: SerializerKind) -> Result<Rendering> {
    negotiate_among(headers, serializer, std::iter::empty())
}

/// As [`negotiate`], with media types of the project's own beside the two. They are chosen where the
/// client prefers them to JSON.
///
/// # Errors
///
/// As [`negotiate`].
pub(super) fn negotiate_among(
    headers: &HeaderMap,
    serializer: SerializerKind,
    own: impl Iterator<Item = &'static str> + Clone,
) -> Result<Rendering> {
    if let Some(rendering) = usual(headers, serializer) {
        return Ok(rendering);
    }
    let ranges = ranges(headers);
    if ranges.is_empty() {
        return Ok(plain(serializer));
    }
    let mut named = named(&ranges).peekable();
    if named.peek().is_some() && named.all(|range| !range.is_plain_json_api()) {
        return Err(Error::NotAcceptable(format!(
            "{JSON_API} is produced without extensions; profile is its only parameter."
        )));
    }
    let json = Match::of(&ranges, JSON, |_| true);
    let json_api = Match::of(&ranges, JSON_API, MediaType::is_plain_json_api);
    let media_types = own.clone();
    let own = own.map(|media_type| {
        let found = Match::of(&ranges, media_type, |_| true);
        (found, Rendering::Own(media_type))
    });
    let others = [(json_api, Rendering::JsonApi)].into_iter().chain(own);
    let mut best = json.map(|found| (found, plain(serializer)));
    for (found, rendering) in others {
        let Some(found) = found else { continue };
        if best.is_none_or(|(best, _)| found.is_better(best)) {
            best = Some((found, rendering));
        }
    }
    best.map(|(_, rendering)| rendering).ok_or_else(|| {
        let produced: Vec<&str> = [JSON, JSON_API].into_iter().chain(media_types).collect();
        let produced = enumerated(&produced);
        Error::NotAcceptable(format!(
            "Only {produced} are produced; send one of them as Accept."
        ))
    })
}

/// Two or more words as a sentence lists them.
fn enumerated(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Lets a request pass whose `Accept` has this media type. Without the header every media type is
/// accepted.
///
/// # Errors
///
/// 406.
pub fn takes(headers: &HeaderMap, media_type: &str) -> Result<()> {
    let ranges = ranges(headers);
    let essence = MediaType::parse(media_type).essence;
    if ranges.is_empty() || Match::of(&ranges, &essence, |_| true).is_some() {
        return Ok(());
    }
    Err(Error::NotAcceptable(format!(
        "Only {essence} is produced here; send it as Accept."
    )))
}

/// The answer, if the client accepts its media type.
///
/// # Errors
///
/// 406.
pub fn taken(headers: &HeaderMap, response: Response) -> Result<Response> {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    match media_type.and_then(|value| value.to_str().ok()) {
        Some(media_type) => takes(headers, media_type).map(|()| response),
        None => Ok(response),
    }
}

/// The values that nearly every client sends, recognised without parsing.
fn usual(headers: &HeaderMap, serializer: SerializerKind) -> Option<Rendering> {
    let mut values = headers.get_all(header::ACCEPT).iter();
    match (values.next().map(HeaderValue::as_bytes), values.next()) {
        (None, _) | (Some(b"*/*" | b"application/json"), None) => Some(plain(serializer)),
        (Some(b"application/vnd.api+json"), None) => Some(Rendering::JsonApi),
        _ => None,
    }
}

/// The rendering of an error: what the client wants, or else the one it is likely to read.
pub(crate) fn for_errors(headers: &HeaderMap, serializer: SerializerKind) -> Rendering {
    negotiate(headers, serializer).unwrap_or_else(|_| {
        if named(&ranges(headers)).next().is_some() {
            Rendering::JsonApi
        } else {
            plain(serializer)
        }
    })
}

/// The rendering for `application/json`.
fn plain(serializer: SerializerKind) -> Rendering {
    match serializer {
        SerializerKind::Data => Rendering::Data,
        SerializerKind::JsonApi => Rendering::JsonApiAsJson,
    }
}

fn ranges(headers: &HeaderMap) -> Vec<MediaType> {
    let values = headers.get_all(header::ACCEPT).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(media::list)
        .collect()
}

/// The instances of the JSON:API media type that are wanted.
fn named(ranges: &[MediaType]) -> impl Iterator<Item = &MediaType> {
    ranges
        .iter()
        .filter(|range| range.essence == JSON_API && range.weight > 0.0)
}

/// How well a media type is accepted.
#[derive(Debug, Clone, Copy)]
struct Match {
    weight: f32,
    /// 2 where it is named, 1 by its type (`application/*`), 0 by `*/*`.
    precision: u8,
    /// Where in the header.
    position: usize,
}

impl Match {
    /// By the most precise of the ranges that match (RFC 9110, section 12.5.1); one that names the
    /// media type has to be `fit` as well.
    fn of(ranges: &[MediaType], essence: &str, fit: impl Fn(&MediaType) -> bool) -> Option<Self> {
        let whole = |range: &str| {
            let kind = range.strip_suffix("/*");
            kind.is_some_and(|kind| essence.split('/').next() == Some(kind))
        };
        let precision = |range: &MediaType| match range.essence.as_str() {
            named if named == essence => fit(range).then_some(2),
            "*/*" => Some(0),
            range => whole(range).then_some(1),
        };
        let mut best: Option<Self> = None;
        for (position, range) in ranges.iter().enumerate() {
            let Some(precision) = precision(range) else {
                continue;
            };
            let found = Self {
                weight: range.weight,
                precision,
                position,
            };
            let better = |best: Self| {
                precision > best.precision
                    || (precision == best.precision && found.weight > best.weight)
            };
            if best.is_none_or(better) {
                best = Some(found);
            }
        }
        best.filter(|found| found.weight > 0.0)
    }

    /// The weight decides, then whether the media type is named, then the order in the header.
    fn is_better(self, other: Self) -> bool {
        if self.weight != other.weight {
            return self.weight > other.weight;
        }
        (self.precision, other.position) > (other.precision, self.position)
    }
}
