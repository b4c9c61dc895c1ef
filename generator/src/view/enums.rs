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
    /// What the attribute is called in bodies.
    attribute: String,
    /// `WholeCart = "whole_cart"`.
    values: Vec<String>,
}

/// The enums of a resource's attributes, in order.
pub(crate) fn of(resource: &Resource) -> Vec<EnumView> {
    let attributes = resource.model.attributes.iter();
    let enums = attributes.filter_map(|attribute| {
        let values = values(&attribute.kind)?;
        let pairs = variants(values).into_iter().zip(values);
        Some(EnumView {
            name: type_name(&resource.names, &attribute.name),
            attribute: attribute.name.clone(),
            values: pairs
                .map(|(variant, value)| format!("{variant} = {}", code::text(value)))
                .collect(),
        })
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
pub(crate) fn field_type(names: &Names, attribute: &Attribute) -> String {
    match values(&attribute.kind) {
        Some(_) if attribute.nullable => format!("Option<{}>", type_name(names, &attribute.name)),
        Some(_) => type_name(names, &attribute.name),
        None => column::rust_type(&attribute.kind, attribute.nullable),
    }
}

/// `CouponValidity::Fixed`; `None` where the attribute is no enum.
pub(crate) fn literal(names: &Names, attribute: &Attribute, value: &str) -> Option<String> {
    let values = values(&attribute.kind)?;
    let place = values.iter().position(|known| known == value)?;
    let variant = variants(values).swap_remove(place);
    Some(format!("{}::{variant}", type_name(names, &attribute.name)))
}

fn values(kind: &ColumnType) -> Option<&[String]> {
    match kind {
        ColumnType::Enum(values) => Some(values),
        _ => None,
    }
}

/// `OrderType` for `order_type` of orders, `CouponValidity` for `validity` of coupons.
fn type_name(names: &Names, attribute: &str) -> String {
    let own = attribute.to_pascal_case();
    let model = format!("{}_", names.model.to_snake_case());
    let mut name = match attribute.starts_with(&model) {
        true => own,
        false => format!("{}{own}", names.model),
    };
    let Names {
        controller,
        model,
        repository,
        request,
        transformer,
        relations,
        ..
    } = names;
    let taken = [
        controller,
        model,
        repository,
        request,
        transformer,
        relations,
    ];
    if taken.contains(&&name) {
        name.push_str("Value");
    }
    name
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

    #[test]
    fn types_are_named_after_the_model_once() {
        let names = name::names("orders", None);
        assert_eq!(type_name(&names, "order_type"), "OrderType");
        assert_eq!(type_name(&names, "kind"), "OrderKind");
        assert_eq!(type_name(&names, "order"), "OrderOrder");
        assert_eq!(type_name(&names, "orderly_way"), "OrderOrderlyWay");
        assert_eq!(type_name(&names, "request"), "OrderRequestValue");
    }
}
