//! Entity tags (RFC 9110, sections 8.8.3 and 13).
//!
//! The tag of one record has two parts, `"<row>-<representation>"`. The first depends on the
//! visible columns of the row alone, so it guards a change of the record whatever representation
//! the client had read. The second depends on everything that was sent: includes, fieldsets, media
//! type. Both are digests under a key, so that clients cannot try values until the digest of a row
//! is the same.

mod row;

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header, request::Parts};
use data_encoding::HEXLOWER;
use formwork_data::{
    error::{Error, Result},
    model::Model,
};

use crate::tag_key::{KEPT, TagKey};
use crate::{context::Context, response::Response};

/// The first part of a record's tag. Hidden columns are not part of it.
pub(crate) fn row<M: Model>(key: TagKey, record: &mut M) -> Result<String> {
    let mut row = String::with_capacity(WIDTH);
    HEXLOWER.encode_append(&key.digest(&row::seen(record)?), &mut row);
    Ok(row)
}

/// The answer with its tag, a strong one.
pub fn tagged(key: TagKey, response: Response, row: Option<&str>) -> Response {
    let mut tag = String::with_capacity(2 * WIDTH + 3);
    tag.push('"');
    if let Some(row) = row {
        tag.push_str(row);
        tag.push('-');
    }
    HEXLOWER.encode_append(&key.digest(response.body()), &mut tag);
    tag.push('"');
    response.with_header(header::ETAG, &tag)
}

/// Letters of a digest.
const WIDTH: usize = 2 * KEPT;

/// The lines of a header that holds a list, as one.
pub(crate) fn listed(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let mut lines = headers.get_all(name).iter().peekable();
    lines.peek()?;
    // A value that is not text is kept as a tag that matches none.
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    Some(lines.collect::<Vec<_>>().join(","))
}

/// The tags of `If-None-Match` on a change; for reads see [`revalidated`].
pub(crate) fn unwanted(request: &Parts) -> Option<String> {
    let changes = !request.method.is_safe();
    changes.then(|| listed(&request.headers, &header::IF_NONE_MATCH))?
}

/// Lets a change of this record pass, if it is in the state that `If-Match` names, and in none that
/// `If-None-Match` names.
///
/// # Errors
///
/// 412 where it is not.
pub(crate) async fn check<M: Model>(ctx: &Context, record: &M) -> Result<()> {
    let request = ctx.request();
    let guarded = match &request.if_match {
        Some(list) => names(ctx, record, list, TagComparison::Strong).await?,
        None => true,
    };
    let prevented = match &request.if_none_match {
        Some(list) => names(ctx, record, list, TagComparison::Weak).await?,
        None => false,
    };
    if guarded && !prevented {
        Ok(())
    } else {
        Err(Error::PreconditionFailed)
    }
}

/// How tags are compared (RFC 9110, section 8.8.3.2).
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagComparison {
    Strong,
    Weak,
}

/// Whether a list names the state of this record; `*` names every one.
async fn names<M: Model>(
    ctx: &Context,
    record: &M,
    list: &str,
    comparison: TagComparison,
) -> Result<bool> {
    if list.trim() == "*" {
        return Ok(true);
    }
    let row = row(ctx.app().tag_key(ctx.db()).await?, &mut record.clone())?;
    let weak = comparison == TagComparison::Weak;
    let same = |tag: Tag<'_>| (weak || !tag.weak) && tag.opaque.split('-').next() == Some(&row);
    Ok(tags(list).any(same))
}

/// The answer, or 304 where the client has it already (`If-None-Match`, weak comparison).
pub(crate) fn revalidated(method: &Method, headers: &HeaderMap, response: Response) -> Response {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    if !reads || response.status() != StatusCode::OK {
        return response;
    }
    let known = listed(headers, &header::IF_NONE_MATCH);
    let tag = response.headers().get(header::ETAG);
    let same = match (&known, tag.and_then(|tag| tag.to_str().ok())) {
        (Some(known), Some(tag)) => has(known, tag),
        _ => false,
    };
    if same {
        response.not_modified()
    } else {
        response
    }
}

/// Whether a list names this tag; `*` names every one.
fn has(list: &str, tag: &str) -> bool {
    let opaque = tags(tag).next().map(|tag| tag.opaque);
    list.trim() == "*" || tags(list).any(|listed| Some(listed.opaque) == opaque)
}

/// An entity tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tag<'t> {
    weak: bool,
    opaque: &'t str,
}

/// The tags of a list, up to the first malformed one.
fn tags(list: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = list;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let weak = rest.strip_prefix("W/");
        let quoted = weak.unwrap_or(rest).strip_prefix('"')?;
        let (opaque, after) = quoted.split_once('"')?;
        rest = after;
        Some(Tag {
            weak: weak.is_some(),
            opaque,
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn opaque(list: &str) -> Vec<(bool, &str)> {
        tags(list).map(|tag| (tag.weak, tag.opaque)).collect()
    }

    #[test]
    fn lists_of_tags_are_read() {
        assert_eq!(opaque("\"a\""), [(false, "a")]);
        assert_eq!(
            opaque("\"a,b\" , W/\"c\",, \"\""),
            [(false, "a,b"), (true, "c"), (false, "")]
        );
        for none in ["", "a", "W/", "\"a", "w/\"a\"", "*"] {
            assert_eq!(opaque(none), [], "{none}");
        }
    }

    #[test]
    fn comparison_for_reading_is_weak() {
        assert!(has("\"x\", W/\"a-b\"", "\"a-b\""));
        assert!(has(" * ", "\"a-b\""));
        assert!(!has("\"a\", \"b\"", "\"a-b\""));
        assert!(!has("", "\"a-b\""));
    }

    #[test]
    fn lines_of_a_header_are_one_list() {
        let mut headers = HeaderMap::new();
        assert_eq!(listed(&headers, &header::IF_MATCH), None);
        headers.append(header::IF_MATCH, "\"a\"".parse().expect("value"));
        headers.append(header::IF_MATCH, "\"b\"".parse().expect("value"));
        assert_eq!(
            listed(&headers, &header::IF_MATCH).as_deref(),
            Some("\"a\",\"b\"")
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(list in ".{0,64}") {
            prop_assert!(tags(&list).count() <= list.len());
        }

        #[test]
        fn written_tags_are_read_back(weak in any::<bool>(), opaque in "[!#-~]{0,16}") {
            let written = format!("{}\"{opaque}\"", if weak { "W/" } else { "" });
            let read: Vec<_> = tags(&written).collect();
            prop_assert_eq!(read, vec![Tag { weak, opaque: opaque.as_str() }]);
        }
    }
}
