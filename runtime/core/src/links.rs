//! Links of records.

use formwork_data::shape::{Shape, Shaped};
use serde::{Serialize, Serializer};

/// The links of a record, rendered `[{"rel": "self", "uri": "/api/menus/7"}]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Links {
    uri: String,
}

impl Links {
    /// A link to the record itself.
    pub fn to_self(uri: String) -> Self {
        Self { uri }
    }

    /// Where the record itself is found.
    pub fn self_uri(&self) -> &str {
        &self.uri
    }

    /// The link as it is.
    pub(crate) fn into_self_uri(self) -> String {
        self.uri
    }
}

impl Shaped for Links {
    fn shape(to: &mut Shape) {
        to.links();
    }
}

#[derive(Serialize)]
struct Link<'a> {
    rel: &'static str,
    uri: &'a str,
}

impl Serialize for Links {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [Link {
            rel: "self",
            uri: &self.uri,
        }]
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_the_shape_of_the_specification() {
        let links = Links::to_self("/api/menus/7".to_owned());
        assert_eq!(
            serde_json::to_value(&links).ok(),
            Some(serde_json::json!([{"rel": "self", "uri": "/api/menus/7"}]))
        );
    }
}
