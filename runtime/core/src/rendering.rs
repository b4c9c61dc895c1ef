//! The two renderings of a service: data, and JSON:API documents.

use formwork_vocabulary::inflect::singular;

/// The media type of the data rendering.
pub const JSON: &str = "application/json";

/// The media type of JSON:API (jsonapi.org, "Content Negotiation").
pub const JSON_API: &str = "application/vnd.api+json";

/// The name of an attribute `type` in JSON:API, where `type` is the resource's key (jsonapi.org,
/// "Resource Object Identification"): `coupon_type` of `coupons`.
pub fn type_attribute(key: &str) -> String {
    format!("{}_type", singular(key))
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rendering {
    /// `{"data": {…}}`: a record is what its transformer returns.
    #[default]
    Data,
    /// A JSON:API 1.1 document.
    JsonApi,
    /// A JSON:API document sent as `application/json`: `api.serializer: json_api`.
    JsonApiAsJson,
    /// This media type, written by a serializer of the project's own from the data rendering.
    Own(&'static str),
}

impl Rendering {
    /// Whether answers are JSON:API documents.
    pub const fn is_json_api(self) -> bool {
        matches!(self, Self::JsonApi | Self::JsonApiAsJson)
    }

    /// The media type of answers.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Data | Self::JsonApiAsJson => JSON,
            Self::JsonApi => JSON_API,
            Self::Own(media_type) => media_type,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attribute_type_is_called_after_one_record() {
        assert_eq!(type_attribute("coupons"), "coupon_type");
    }
}
