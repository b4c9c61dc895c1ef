//! The token endpoint's other body: `application/x-www-form-urlencoded`.

use serde_json::{Map, Value as Json};

/// Fields that are lists by their plain name too: so forms are filled in by OpenAPI's encoding.
const LISTS: [&str; 1] = ["abilities"];

/// The fields of a form, as a JSON body would hold them: `abilities=a&abilities=b`,
/// `abilities[]=a&abilities[]=b` and `abilities[0]=a` are lists.
pub fn form_fields(body: &[u8]) -> Map<String, Json> {
    let mut fields = Map::new();
    for (name, value) in form_urlencoded::parse(body) {
        let value = Json::String(value.into_owned());
        match list_name(&name) {
            None => {
                fields.insert(name.into_owned(), value);
            }
            Some(list) => match fields
                .entry(list)
                .or_insert_with(|| Json::Array(Vec::new()))
            {
                Json::Array(items) => items.push(value),
                other => *other = Json::Array(vec![value]),
            },
        }
    }
    fields
}

/// `abilities` of `abilities`, `abilities[]` and `abilities[2]`.
fn list_name(name: &str) -> Option<String> {
    if LISTS.contains(&name) {
        return Some(name.to_owned());
    }
    let (list, index) = name.strip_suffix(']')?.split_once('[')?;
    let listed = index.bytes().all(|byte| byte.is_ascii_digit());
    (listed && !list.is_empty()).then(|| list.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn other_brackets_are_names() {
        let twice = form_fields(b"email=a&email=b");
        assert_eq!(twice["email"], "b", "what is no list has its last value");
        let fields = form_fields(b"a[b]=1&[]=2&c=3&c[]=4");
        assert_eq!(
            Json::Object(fields),
            json!({"a[b]": "1", "[]": "2", "c": ["4"]})
        );
    }
}
