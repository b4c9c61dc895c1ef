//! The serde adapter that writes a transformer's value.

use std::fmt::Display;

use serde::{Serialize, Serializer, ser};
use serde_json::Error;

use super::object::MemberWriter;
use crate::outline::Outline;

/// Takes an object and writes it without its closing brace, so that more can follow. Returns
/// whether it has members.
pub(super) struct RecordSerializer<'a> {
    out: &'a mut Vec<u8>,
    outline: Outline<'a>,
    links: Option<&'a mut Vec<u8>>,
}

impl<'a> RecordSerializer<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, outline: Outline<'a>) -> Self {
        Self {
            out,
            outline,
            links: None,
        }
    }

    /// Where links go that are no member of the object.
    pub(super) fn links_into(self, links: &'a mut Vec<u8>) -> Self {
        Self {
            links: Some(links),
            ..self
        }
    }

    fn object(self) -> MemberWriter<'a> {
        MemberWriter::begin(self.out, self.outline, self.links)
    }
}

/// A transformer's mistake, in words for the log.
fn no_object(what: impl Display) -> Error {
    ser::Error::custom(format_args!(
        "a transformer must return an object, this one returned {what}"
    ))
}

/// Refuses values that are not objects: methods of these arguments, whose result is of type `$ok`.
macro_rules! refuse {
    ($ok:ty: $($method:ident($($argument:ty),*) => $what:literal;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$ok, Error> {
            Err(no_object($what))
        }
    )*};
}

impl<'a> Serializer for RecordSerializer<'a> {
    type Ok = bool;
    type Error = Error;
    type SerializeSeq = ser::Impossible<bool, Error>;
    type SerializeTuple = ser::Impossible<bool, Error>;
    type SerializeTupleStruct = ser::Impossible<bool, Error>;
    type SerializeTupleVariant = ser::Impossible<bool, Error>;
    type SerializeMap = MemberWriter<'a>;
    type SerializeStruct = MemberWriter<'a>;
    type SerializeStructVariant = ser::Impossible<bool, Error>;

    refuse! { bool:
        serialize_bool(bool) => "true or false";
        serialize_i8(i8) => "a number";
        serialize_i16(i16) => "a number";
        serialize_i32(i32) => "a number";
        serialize_i64(i64) => "a number";
        serialize_u8(u8) => "a number";
        serialize_u16(u16) => "a number";
        serialize_u32(u32) => "a number";
        serialize_u64(u64) => "a number";
        serialize_f32(f32) => "a number";
        serialize_f64(f64) => "a number";
        serialize_char(char) => "text";
        serialize_str(&str) => "text";
        serialize_bytes(&[u8]) => "bytes";
        serialize_none() => "null";
        serialize_unit() => "null";
        serialize_unit_variant(&'static str, u32, &'static str) => "text";
    }

    refuse! { ser::Impossible<bool, Error>:
        serialize_seq(Option<usize>) => "an array";
        serialize_tuple(usize) => "an array";
        serialize_tuple_struct(&'static str, usize) => "an array";
        serialize_tuple_variant(&'static str, u32, &'static str, usize) => "an array";
        serialize_struct_variant(&'static str, u32, &'static str, usize) => "a variant with fields";
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<bool, Error> {
        value.serialize(self)
    }

    /// A struct without fields has no members.
    fn serialize_unit_struct(self, _name: &'static str) -> Result<bool, Error> {
        self.object().finish()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<bool, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<bool, Error> {
        let mut object = self.object();
        object.member(variant, value)?;
        object.finish()
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Ok(self.object())
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStruct, Error> {
        Ok(self.object())
    }
}
