//! JSON pointers of the members of a body (RFC 6901).

use serde_json::Value as Json;

/// JSON pointers of members: below one root, with exceptions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// Where members stand.
    root: &'static str,
    /// Members that stand elsewhere.
    moved: Vec<(String, String)>,
}

impl Places {
    /// A JSON:API document, with attributes or without.
    pub fn document(attributes: bool) -> Self {
        let root = if attributes {
            "/data/attributes"
        } else {
            "/data"
        };
        Self {
            root,
            moved: Vec::new(),
        }
    }

    /// Whether the body is a JSON:API document.
    pub fn is_document(&self) -> bool {
        !self.root.is_empty()
    }

    /// Notes that a member has another JSON pointer, or another name.
    pub fn put(&mut self, member: impl Into<String>, pointer: String) {
        self.moved.push((member.into(), pointer));
    }

    /// Notes that a member has another name.
    pub fn rename(&mut self, member: &str, name: &str) {
        let pointer = format!("{}/{}", self.root, escaped(name));
        self.put(member, pointer);
    }

    /// The pointer to a field such as `special.type`, or to the object that lacks it. `value` is
    /// the value of the field's first part.
    pub fn pointer(&self, field: &str, value: Option<&Json>) -> String {
        let mut parts = field.split('.');
        let member = parts.next().unwrap_or_default();
        let Some(mut value) = value else {
            return self.root.to_owned();
        };
        let moved = self.moved.iter().rev().find(|(name, _)| name == member);
        let mut pointer = match moved {
            Some((_, pointer)) => pointer.clone(),
            None => format!("{}/{}", self.root, escaped(member)),
        };
        for part in parts {
            let next = match value {
                Json::Object(members) => members.get(part),
                Json::Array(items) => part.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => None,
            };
            let Some(next) = next else {
                break;
            };
            pointer = format!("{pointer}/{}", escaped(part));
            value = next;
        }
        pointer
    }
}

/// A name as a part of a pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pointer_to_a_missing_member_leads_to_its_parent() {
        let special = json!({"type": "F", "days": [{"from": 1}]});
        let mut places = Places::document(true);
        let seen = |field: &str| places.pointer(field, Some(&special));
        assert_eq!(seen("special.type"), "/data/attributes/special/type");
        assert_eq!(
            seen("special.days.0.from"),
            "/data/attributes/special/days/0/from"
        );
        assert_eq!(seen("special.days.0.to"), "/data/attributes/special/days/0");
        assert_eq!(seen("a/b~c"), "/data/attributes/a~1b~0c");
        assert_eq!(places.pointer("title", None), "/data/attributes");
        assert_eq!(Places::document(false).pointer("title", None), "/data");
        let flat = Places::default();
        assert_eq!(flat.pointer("title", Some(&json!("x"))), "/title");
        assert_eq!(flat.pointer("title", None), "");
        places.rename("type", "coupon_type");
        let seen = places.pointer("type", Some(&json!("F")));
        assert_eq!(seen, "/data/attributes/coupon_type");
    }
}
