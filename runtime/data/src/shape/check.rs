//! Checks a record against its declared shape.

use serde_json::Value as Json;

use super::{Shape, ShapeKind};
use crate::column::Kind;

impl Shape {
    /// The first difference from the declaration, in a sentence.
    pub fn mistake(&self, shown: &Json) -> Option<String> {
        self.mistake_at("", shown)
    }

    fn mistake_at(&self, place: &str, shown: &Json) -> Option<String> {
        let within = |name: &str| match place {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        let fits = match (&self.kind, shown) {
            (ShapeKind::Any, _) => true,
            (_, Json::Null) => self.nullable,
            (ShapeKind::Scalar(kind), shown) => fits(*kind, shown),
            (ShapeKind::Links, shown) => shown.is_array(),
            (ShapeKind::List(items), Json::Array(shown)) => {
                return shown
                    .iter()
                    .find_map(|item| items.mistake_at(&within("*"), item));
            }
            (ShapeKind::Map(values), Json::Object(shown)) => {
                return shown
                    .values()
                    .find_map(|value| values.mistake_at(&within("*"), value));
            }
            (ShapeKind::Object(members), Json::Object(shown)) => {
                return shown.iter().find_map(|(name, value)| {
                    let place = within(name);
                    match members.iter().find(|(known, _)| known == name) {
                        Some((_, shape)) => shape.mistake_at(&place, value),
                        None => Some(format!("`{place}` is shown and not declared")),
                    }
                });
            }
            _ => false,
        };
        (!fits).then(|| format!("`{place}` is shown as {shown}, declared is {self:?}"))
    }
}

/// Whether a column of this kind is shown like this.
fn fits(kind: Kind, shown: &Json) -> bool {
    match kind {
        Kind::Integer | Kind::BigInt => shown.is_i64() || shown.is_u64(),
        Kind::Float => shown.is_number(),
        Kind::Boolean => shown.is_boolean(),
        Kind::Json => true,
        Kind::Text | Kind::Decimal(_) | Kind::Date | Kind::Time | Kind::DateTime | Kind::Uuid => {
            shown.is_string()
        }
    }
}
