//! Types whose shapes are known.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use super::{Shape, ShapeKind, Shaped};
use crate::{
    column::{Column, Kind},
    decimal::Decimal,
    value::{Date, DateTime, Json, Time, Uuid, Value},
};

impl<T: Shaped> Shaped for Option<T> {
    fn shape(to: &mut Shape) {
        T::shape(to);
        to.nullable = true;
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::List(Box::new(Shape::of::<T>())));
    }
}

impl<T: Shaped> Shaped for BTreeMap<String, T> {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::Map(Box::new(Shape::of::<T>())));
    }
}

impl<T: Shaped> Shaped for HashMap<String, T> {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::Map(Box::new(Shape::of::<T>())));
    }
}

impl<const SCALE: u32> Shaped for Decimal<SCALE> {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::Scalar(<Self as Column>::KIND));
    }
}

impl Shaped for Json {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::Any);
    }
}

impl Shaped for Value {
    fn shape(to: &mut Shape) {
        to.set(ShapeKind::Any);
    }
}

macro_rules! scalars {
    ($($type:ty: $kind:ident),* $(,)?) => {$(
        impl Shaped for $type {
            fn shape(to: &mut Shape) {
                to.set(ShapeKind::Scalar(Kind::$kind));
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
