//! The types whose values are known without one.

use std::{any::type_name, borrow::Cow, collections::HashMap, sync::LazyLock};

use super::{Shape, ShapeKind};
use crate::{
    column::Kind,
    decimal::Decimal,
    transformer::Links,
    value::{Date, DateTime, Json, Time, Uuid, Value},
};

/// The shape of every value of the type of this name, as [`type_name`] writes it.
///
/// Names are compared with those of types, never taken apart: what a compiler calls them does not
/// matter. A type of an unknown name is looked at in other ways.
pub(super) fn known(name: &str) -> Option<Shape> {
    static KNOWN: LazyLock<HashMap<&'static str, Shape>> = LazyLock::new(all);
    KNOWN.get(name).cloned()
}

type Known = HashMap<&'static str, Shape>;

fn all() -> Known {
    let mut known = Known::new();
    let scalar = |kind| Shape::of(ShapeKind::Scalar(kind));
    add::<String>(&mut known, &scalar(Kind::Text));
    add::<Cow<'_, str>>(&mut known, &scalar(Kind::Text));
    add::<char>(&mut known, &scalar(Kind::Text));
    add_text(&mut known, &scalar(Kind::Text));
    add_numbers(&mut known);
    add::<bool>(&mut known, &scalar(Kind::Boolean));
    add::<Date>(&mut known, &scalar(Kind::Date));
    add::<Time>(&mut known, &scalar(Kind::Time));
    add::<DateTime>(&mut known, &scalar(Kind::DateTime));
    add::<Uuid>(&mut known, &scalar(Kind::Uuid));
    add_decimals(&mut known);
    add::<Links>(&mut known, &Shape::of(ShapeKind::Links));
    let any = Shape::of(ShapeKind::Any).or_null();
    add::<Json>(&mut known, &any);
    add::<Value>(&mut known, &any);
    known
}

fn add_numbers(known: &mut Known) {
    let small = Shape::of(ShapeKind::Scalar(Kind::Integer));
    add::<i8>(known, &small);
    add::<i16>(known, &small);
    add::<i32>(known, &small);
    add::<u8>(known, &small);
    add::<u16>(known, &small);
    let large = Shape::of(ShapeKind::Scalar(Kind::BigInt));
    add::<u32>(known, &large);
    add::<i64>(known, &large);
    add::<usize>(known, &large);
    add::<u64>(known, &large);
    let float = Shape::of(ShapeKind::Scalar(Kind::Float));
    add::<f32>(known, &float);
    add::<f64>(known, &float);
}

/// A decimal of every scale that a manifest may name (command-line.md, "Types").
fn add_decimals(known: &mut Known) {
    macro_rules! scales {
        ($($scale:literal)*) => {$(
            add::<Decimal<$scale>>(known, &Shape::of(ShapeKind::Scalar(Kind::Decimal($scale))));
        )*};
    }
    scales!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
}

/// A type, and what holds values of it.
fn add<T>(known: &mut Known, shape: &Shape) {
    let list = Shape::of(ShapeKind::List(Box::new(shape.clone())));
    for name in [type_name::<T>(), type_name::<&T>(), type_name::<&&T>()] {
        known.insert(name, shape.clone());
    }
    for name in [
        type_name::<Option<T>>(),
        type_name::<&Option<T>>(),
        type_name::<Option<&T>>(),
        type_name::<Option<Option<T>>>(),
    ] {
        known.insert(name, shape.clone().or_null());
    }
    for name in [
        type_name::<Vec<T>>(),
        type_name::<&Vec<T>>(),
        type_name::<&[T]>(),
    ] {
        known.insert(name, list.clone());
    }
    known.insert(type_name::<Option<Vec<T>>>(), list.or_null());
}

/// `str` has no size of its own: only references to it stand in fields.
fn add_text(known: &mut Known, shape: &Shape) {
    known.insert(type_name::<str>(), shape.clone());
    add::<&str>(known, shape);
}
