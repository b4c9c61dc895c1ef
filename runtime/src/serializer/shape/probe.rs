//! A serializer that writes nothing: it looks at types.

use std::{any::type_name, fmt::Display};

use serde::{
    Serialize, Serializer,
    ser::{
        SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant,
    },
};

use super::{Members, Shape, ShapeKind, known::known};

/// Answers what is known of the value it is given.
pub(super) struct Probe;

/// Why a value cannot be looked at: its own serialisation fails.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unshown(String);

impl serde::ser::Error for Unshown {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Seen = Result<Shape, Unshown>;

/// What is known of this value, its type above all.
fn shape_of<T: Serialize + ?Sized>(value: &T) -> Seen {
    match known(type_name::<T>()) {
        Some(shape) => Ok(shape),
        None => value.serialize(Probe),
    }
}

/// Of a type of somebody else's, the next value may be another one.
fn anything() -> Shape {
    Shape::of(ShapeKind::Any).or_null()
}

/// Answers the same, whatever the value is.
macro_rules! anything {
    ($($method:ident($($type:ty),*);)*) => {$(
        fn $method(self $(, _: $type)*) -> Seen {
            Ok(anything())
        }
    )*};
}

impl Serializer for Probe {
    type Ok = Shape;
    type Error = Unshown;
    type SerializeSeq = Items;
    type SerializeTuple = Ignored;
    type SerializeTupleStruct = Ignored;
    type SerializeTupleVariant = Ignored;
    type SerializeMap = Object;
    type SerializeStruct = Object;
    type SerializeStructVariant = Ignored;

    anything! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_none(self) -> Seen {
        Ok(Shape::of(ShapeKind::Unseen).or_null())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Seen {
        shape_of(value).map(Shape::or_null)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Seen {
        shape_of(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Seen {
        Ok(anything())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Unshown> {
        Ok(Items(None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Ignored, Unshown> {
        Ok(Ignored)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Ignored, Unshown> {
        Ok(Ignored)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Ignored, Unshown> {
        Ok(Ignored)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object, Unshown> {
        Ok(Object::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object, Unshown> {
        Ok(Object::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Ignored, Unshown> {
        Ok(Ignored)
    }
}

/// The items of a list: what is true of all.
pub(super) struct Items(Option<Shape>);

impl SerializeSeq for Items {
    type Ok = Shape;
    type Error = Unshown;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unshown> {
        let next = shape_of(value)?;
        self.0 = Some(match self.0.take() {
            Some(known) => known.merge(next),
            None => next,
        });
        Ok(())
    }

    fn end(self) -> Seen {
        let items = self.0.unwrap_or(Shape::of(ShapeKind::Unseen));
        Ok(Shape::of(ShapeKind::List(Box::new(items))))
    }
}

/// The members of an object. Of two of one name the first is shown.
#[derive(Default)]
pub(super) struct Object {
    members: Members,
    name: String,
    /// The members whose names are data.
    data: Members,
    is_data: bool,
}

impl Object {
    fn member<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), Unshown> {
        let members = match self.is_data {
            true => &mut self.data,
            false => &mut self.members,
        };
        if members.iter().all(|(known, _)| *known != name) {
            members.push((name, shape_of(value)?));
        }
        Ok(())
    }

    fn shape(self) -> Shape {
        if !self.members.is_empty() {
            return Shape::of(ShapeKind::Object(self.members));
        }
        let values = self.data.iter().map(|(_, shape)| shape.clone());
        let values = values.reduce(Shape::merge);
        let values = values.unwrap_or(Shape::of(ShapeKind::Unseen));
        Shape::of(ShapeKind::Map(self.data, Box::new(values)))
    }
}

/// Whether keys of this type are names that a program writes: those of structs and of maps of
/// literals are.
fn is_name<T: ?Sized>() -> bool {
    let key = type_name::<T>();
    [
        type_name::<str>(),
        type_name::<&str>(),
        type_name::<&&str>(),
    ]
    .contains(&key)
}

impl SerializeMap for Object {
    type Ok = Shape;
    type Error = Unshown;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unshown> {
        self.is_data = !is_name::<T>();
        let key = serde_json::to_value(key).map_err(|error| Unshown(error.to_string()))?;
        self.name = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unshown> {
        let name = std::mem::take(&mut self.name);
        self.member(name, value)
    }

    fn end(self) -> Seen {
        Ok(self.shape())
    }
}

impl SerializeStruct for Object {
    type Ok = Shape;
    type Error = Unshown;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unshown> {
        self.member(key.to_owned(), value)
    }

    fn end(self) -> Seen {
        Ok(Shape::of(ShapeKind::Object(self.members)))
    }
}

/// What says nothing of the next value of its type.
pub(super) struct Ignored;

macro_rules! ignored {
    ($($trait:ident: $method:ident($($name:ident: $type:ty),*);)*) => {$(
        impl $trait for Ignored {
            type Ok = Shape;
            type Error = Unshown;

            fn $method<T: Serialize + ?Sized>(&mut self $(, $name: $type)*, _: &T) -> Result<(), Unshown> {
                Ok(())
            }

            fn end(self) -> Seen {
                Ok(anything())
            }
        }
    )*};
}

ignored! {
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStructVariant: serialize_field(_name: &'static str);
}
