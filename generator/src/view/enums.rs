//! Enums of a model: one for each attribute of type `enum`.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};
use serde::Serialize;

use super::code;
use crate::column;
use crate::name;
use crate::project::{Attribute, ColumnType, Names, Resource};

/// An enum, as `text_enum!` declares it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EnumView {
    /// `CouponValidity`.
    name: String,
    /// Name of the attribute in bodies.
    attribute: String,
    /// `WholeCart = "whole_cart"`.
    values: Vec<String>,
}

/// The enums of a resource's attributes, in order.
pub(crate) fn of(resource: &Resource) -> Vec<EnumView> {
    let named = types(&resource.names, &resource.model.attributes);
    let enums = named.map(|(name, attribute, values)| {
        let pairs = variants(values).into_iter().zip(values);
        EnumView {
            name,
            attribute: attribute.name.clone(),
            values: pairs
                .map(|(variant, value)| format!("{variant} = {}", code::text(value)))
                .collect(),
        }
    });
    enums.collect()
}

/// The names of the enums, as a `use` or `pub use` of them lists them.
pub(crate) fn names(enums: &[EnumView]) -> Vec<&str> {
    let mut names: Vec<&str> = enums.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// The type of an attribute's field.
pub(crate) fn field_type(resource: &Resource, attribute: &Attribute) -> String {
    match enum_of(resource, attribute) {
        Some((name, _)) if attribute.is_optional() => format!("Option<{name}>"),
        Some((name, _)) => name,
        None => column::rust_type(&attribute.kind, attribute.is_optional()),
    }
}

/// `CouponValidity::Fixed`; `None` where the attribute is no enum.
pub(crate) fn literal(resource: &Resource, attribute: &Attribute, value: &str) -> Option<String> {
    let (name, values) = enum_of(resource, attribute)?;
    let place = values.iter().position(|known| known == value)?;
    let variant = variants(values).swap_remove(place);
    Some(format!("{name}::{variant}"))
}

fn enum_of<'r>(resource: &'r Resource, attribute: &Attribute) -> Option<(String, &'r [String])> {
    if !matches!(attribute.kind, ColumnType::Enum(_)) {
        return None;
    }
    let mut named = types(&resource.names, &resource.model.attributes);
    let found = named.find(|(_, one, _)| one.name == attribute.name);
    found.map(|(name, _, values)| (name, values))
}

/// The enums with their types: `OrderType` for `order_type` of orders, `CouponValidity` for `validity` of
/// coupons. One whose name is taken gets `Value` at its end.
fn types<'r>(
    names: &Names,
    attributes: &'r [Attribute],
) -> impl Iterator<Item = (String, &'r Attribute, &'r [String])> {
    let mut taken = BTreeSet::from([
        names.controller.clone(),
        names.model.clone(),
        names.repository.clone(),
        names.request.clone(),
        names.transformer.clone(),
        names.relations.clone(),
    ]);
    let model = names.model.clone();
    let prefix = format!("{}_", model.to_snake_case());
    attributes.iter().filter_map(move |attribute| {
        let ColumnType::Enum(values) = &attribute.kind else {
            return None;
        };
        let own = attribute.name.to_pascal_case();
        let mut name = match attribute.name.starts_with(&prefix) {
            true => own,
            false => format!("{model}{own}"),
        };
        while !taken.insert(name.clone()) {
            name.push_str("Value");
        }
        Some((name, attribute, values.as_slice()))
    })
}

/// A variant for each value; one that is no name in Rust is called after its place.
fn variants(values: &[String]) -> Vec<String> {
    let mut taken = BTreeSet::from(["Other".to_owned()]);
    let places = values.iter().enumerate();
    let variants = places.map(|(place, value)| {
        let mut variant = value.to_pascal_case();
        if !name::is_type(&variant) || variant == "Self" {
            variant = format!("Value{}", place + 1);
        }
        while !taken.insert(variant.clone()) {
            variant.push_str("Value");
        }
        variant
    });
    variants.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[&str]) -> Vec<String> {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        variants(&values)
    }

    #[test]
    fn every_value_has_a_variant_of_its_own() {
        let values = [
            "on-hold",
            "whole_cart",
            "F",
            "1",
            "",
            "self",
            "other",
            "on hold",
            "日本",
        ];
        let expected = [
            "OnHold",
            "WholeCart",
            "F",
            "Value4",
            "Value5",
            "Value6",
            "OtherValue",
            "OnHoldValue",
        ];
        assert_eq!(named(&values)[..8], expected);
        assert_eq!(named(&["value 2", "2"]), ["Value2", "Value2Value"]);
    }
}
