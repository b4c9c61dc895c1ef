//! The values of a body that an attribute's name means: `items.*.menu_id` means many.

use serde_json::Value as Json;

use super::Input;

/// A value and its path; `None` where it was not sent.
pub(crate) type Target<'b> = (String, Option<&'b Json>);

/// Every value `name` means. Members are looked for only where their object was sent.
pub(crate) fn targets<'b>(input: &'b Input, name: &str) -> Vec<Target<'b>> {
    let Some((member, rest)) = name.split_once('.') else {
        return vec![(name.to_owned(), input.members().get(name))];
    };
    let mut found = Vec::new();
    if let Some(value) = input.members().get(member) {
        collect(value, member.to_owned(), rest, &mut found);
    }
    found
}

/// The paths at which `name` expects an object and finds something else: `items.0` for
/// `items.*.menu_id`, `special` for `special.type`. Null counts among items only.
pub(crate) fn misshapen(input: &Input, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in name.match_indices('.') {
        let (holder, rest) = (&name[..at], &name[at + 1..]);
        // A value with items may be a list, and the last item of `tags.*` any value.
        if rest.starts_with('*') {
            continue;
        }
        let is_item = holder.ends_with(".*");
        let unfit = |value: &Json| !value.is_object() && (is_item || !value.is_null());
        let holders = targets(input, holder).into_iter();
        found.extend(
            holders
                .filter(|(_, value)| value.is_some_and(unfit))
                .map(|(path, _)| path),
        );
    }
    found
}

fn collect<'b>(value: &'b Json, path: String, rest: &str, found: &mut Vec<Target<'b>>) {
    let (part, rest) = rest.split_once('.').unwrap_or((rest, ""));
    let mut add = |name: String, value: Option<&'b Json>| {
        let path = format!("{path}.{name}");
        match value {
            value if rest.is_empty() => found.push((path, value)),
            Some(value) => collect(value, path, rest, found),
            None => {}
        }
    };
    match value {
        Json::Array(items) if part == "*" => {
            for (at, item) in items.iter().enumerate() {
                add(at.to_string(), Some(item));
            }
        }
        Json::Object(members) if part == "*" => {
            for (name, member) in members {
                add(name.clone(), Some(member));
            }
        }
        Json::Object(members) => add(part.to_owned(), members.get(part)),
        // Not the shape this name expects: the rules of the value around it report that.
        _ => {}
    }
}
