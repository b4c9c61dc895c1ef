//! What clients see of a record.

use formwork_data::{
    model::Model,
    shape::{Shape, Shaped},
};
use serde::{Serialize, Serializer};

use crate::{context::Context, loaded::Loaded};

/// Shapes the records of one model for clients (specification, section 4.3).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no transformer",
    label = "expected a type that implements `Transformer`",
    note = "write `impl Transformer for {Self} {{ type Model = …; fn transform(…) … }}`"
)]
pub trait Transformer: Send + Sync + 'static {
    /// The model whose records it shapes.
    type Model: Model;

    /// What clients see of this record: a struct, a map, or `record.record()` for all its attributes.
    fn transform<'a>(record: &'a Loaded<Self::Model>, ctx: &'a Context) -> impl Serialize + 'a;

    /// Declares what [`Transformer::transform`] shows, for the OpenAPI description and for
    /// `fields[…]`: `to.flatten::<Menu>();` where it is the record, or a line for each field of the
    /// struct.
    ///
    /// Without a shape, records are described as objects of any members, and `fields[…]` takes any
    /// name. A debug build with the feature `testing` panics where a record contradicts its shape.
    fn shape(to: &mut Shape) {
        let _ = to;
    }
}

/// The links of a record, rendered `[{"rel": "self", "uri": "/api/menus/7"}]`: specification, section 2.2.
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
