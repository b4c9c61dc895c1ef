//! Schema objects: JSON Schema, draft 2020-12, as OpenAPI 3.1 takes it.

use formwork_data::column::Kind;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Named parts, in the order in which they were added: the document is the same every time.
pub(crate) type Named<T> = IndexMap<String, T>;

/// Returns parts by their names.
pub(crate) fn named<N: Into<String>, T>(parts: impl IntoIterator<Item = (N, T)>) -> Named<T> {
    let parts = parts.into_iter();
    parts.map(|(name, part)| (name.into(), part)).collect()
}

/// The schema of a value; the default allows any.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Schema {
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Types::is_any")]
    pub types: Types,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(rename = "const", skip_serializing_if = "Option::is_none")]
    pub constant: Option<Json>,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Json>,
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub preset: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_minimum: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_maximum: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_properties: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_properties: Option<u64>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub properties: Named<Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property_names: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_properties: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all_of: Vec<Schema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not: Option<Box<Schema>>,
    /// A schema that a route writes itself.
    #[serde(flatten, skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub written: Option<Json>,
    /// Written by administrators only.
    #[serde(rename = "x-admin", skip_serializing_if = "std::ops::Not::not")]
    pub admin: bool,
}

/// The types a value may have; none: all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Types {
    #[default]
    Any,
    One(&'static str),
    Several(Vec<&'static str>),
}

impl Types {
    fn is_any(&self) -> bool {
        *self == Self::Any
    }

    /// These, and null.
    fn or_null(self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::One(one) => Self::Several(vec![one, "null"]),
            Self::Several(mut several) => {
                if !several.contains(&"null") {
                    several.push("null");
                }
                Self::Several(several)
            }
        }
    }
}

impl Schema {
    /// Anything.
    pub fn any() -> Self {
        Self::default()
    }

    /// A value of this type.
    pub fn of(kind: &'static str) -> Self {
        Self {
            types: Types::One(kind),
            ..Self::default()
        }
    }

    /// A string in a format.
    pub fn text(format: &'static str) -> Self {
        Self {
            format: Some(format),
            ..Self::of("string")
        }
    }

    /// A string of this pattern.
    pub fn matching(pattern: &str) -> Self {
        Self {
            pattern: Some(pattern.to_owned()),
            ..Self::of("string")
        }
    }

    /// This value and no other.
    pub fn constant(value: &str) -> Self {
        Self {
            constant: Some(value.into()),
            ..Self::of("string")
        }
    }

    /// One of these texts.
    pub fn one_of<N: Into<Json>>(texts: impl IntoIterator<Item = N>) -> Self {
        Self {
            options: texts.into_iter().map(Into::into).collect(),
            ..Self::of("string")
        }
    }

    /// A list or an object: as two alternatives, because most programs do not read a list of types.
    pub fn list_or_object() -> Self {
        Self::any_of(vec![Self::list(Self::any()), Self::of("object")])
    }

    /// The alternative of this type; itself where it has no alternatives.
    pub fn part(&mut self, kind: &'static str) -> &mut Self {
        let mut parts = self.any_of.iter();
        match parts.position(|part| part.types == Types::One(kind)) {
            Some(at) => &mut self.any_of[at],
            None => self,
        }
    }

    /// Leaves these values alone; texts, if the type is unknown.
    pub fn choose(&mut self, options: Vec<Json>) {
        if self.types.is_any() && options.iter().all(Json::is_string) {
            self.types = Types::One("string");
        }
        self.options = options;
    }

    /// A list of these.
    pub fn list(items: Self) -> Self {
        Self {
            items: Some(Box::new(items)),
            ..Self::of("array")
        }
    }

    /// An object with these members; further members are allowed.
    pub fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self {
            properties: named(members),
            ..Self::of("object")
        }
    }

    /// A reference to the schema of this name.
    pub fn to(name: &str) -> Self {
        Self {
            reference: Some(format!("#/components/schemas/{name}")),
            ..Self::default()
        }
    }

    /// One of these.
    pub fn any_of(mut schemas: Vec<Self>) -> Self {
        match schemas.len() {
            1 => schemas.remove(0),
            _ => Self {
                any_of: schemas,
                ..Self::default()
            },
        }
    }

    /// Members that are always there.
    pub fn with<N: Into<String>>(mut self, required: impl IntoIterator<Item = N>) -> Self {
        self.required = required.into_iter().map(Into::into).collect();
        self
    }

    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into()).filter(|text| !text.is_empty());
        self
    }

    /// The same, or null.
    pub fn or_null(mut self) -> Self {
        if self.reference.is_some() || self.constant.is_some() {
            return Self::any_of(vec![self, Self::of("null")]);
        }
        if !self.any_of.is_empty() {
            self.any_of.push(Self::of("null"));
            return self;
        }
        self.types = self.types.or_null();
        if !self.options.is_empty() && !self.options.contains(&Json::Null) {
            self.options.push(Json::Null);
        }
        self
    }

    /// A whole number of 32 bits.
    pub fn small() -> Self {
        Self {
            format: Some("int32"),
            ..Self::of("integer")
        }
    }

    /// A whole number of 64 bits.
    pub fn whole() -> Self {
        Self {
            format: Some("int64"),
            ..Self::of("integer")
        }
    }

    /// A whole number from this one.
    pub fn from(least: i64) -> Self {
        Self {
            minimum: Some(least.into()),
            ..Self::whole()
        }
    }

    /// The schema of a shown value of a column of this kind.
    pub fn shown(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::of("string"),
            Kind::Integer => Self::small(),
            Kind::BigInt => Self::whole(),
            Kind::Float => Self {
                format: Some("double"),
                ..Self::of("number")
            },
            Kind::Decimal(scale) => Self {
                pattern: Some(match scale {
                    0 => r"^-?\d+$".to_owned(),
                    scale => format!(r"^-?\d+\.\d{{{scale}}}$"),
                }),
                ..Self::text("decimal")
            },
            Kind::Boolean => Self::of("boolean"),
            Kind::Date => Self::text("date"),
            Kind::Time => Self::matching(r"^\d{2}:\d{2}:\d{2}(\.\d+)?$"),
            Kind::DateTime => Self::text("date-time"),
            Kind::Json => Self::any(),
            Kind::Uuid => Self::text("uuid"),
        }
    }
}
