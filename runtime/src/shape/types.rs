//! Types whose shapes are known.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use super::{Shape, ShapeKind, Shaped};
use crate::{
    column::{Column, Kind},
    decimal::Decimal,
    model::Model,
    transformer::Links,
    value::{Date, DateTime, Json, Time, Uuid, Value},
};

impl<M: Model> Shaped for M {
    fn shape() -> Shape {
        M::attributes()
    }
}

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        T::shape().or_null()
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        Shape::new(ShapeKind::List(Box::new(T::shape())))
    }
}

impl<T: Shaped> Shaped for BTreeMap<String, T> {
    fn shape() -> Shape {
        Shape::new(ShapeKind::Map(Box::new(T::shape())))
    }
}

impl<T: Shaped> Shaped for HashMap<String, T> {
    fn shape() -> Shape {
        Shape::new(ShapeKind::Map(Box::new(T::shape())))
    }
}

impl<const SCALE: u32> Shaped for Decimal<SCALE> {
    fn shape() -> Shape {
        Shape::new(ShapeKind::Scalar(<Self as Column>::KIND))
    }
}

impl Shaped for Links {
    fn shape() -> Shape {
        Shape::new(ShapeKind::Links)
    }
}

impl Shaped for Json {
    fn shape() -> Shape {
        Shape::any()
    }
}

impl Shaped for Value {
    fn shape() -> Shape {
        Shape::any()
    }
}

macro_rules! scalars {
    ($($type:ty: $kind:ident),* $(,)?) => {$(
        impl Shaped for $type {
            fn shape() -> Shape {
                Shape::new(ShapeKind::Scalar(Kind::$kind))
            }
        }
    )*};
}

scalars! {
    String: Text,
    &str: Text,
    Cow<'_, str>: Text,
    char: Text,
    i16: Integer,
    i32: Integer,
    u16: Integer,
    u32: BigInt,
    i64: BigInt,
    u64: BigInt,
    usize: BigInt,
    f32: Float,
    f64: Float,
    bool: Boolean,
    Date: Date,
    Time: Time,
    DateTime: DateTime,
    Uuid: Uuid,
}
