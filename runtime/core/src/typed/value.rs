//! A value of JSON on its way into a type: it keeps its place.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use formwork_vocabulary::did_you_mean::nearest;
use serde::{
    Deserializer,
    de::{
        DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor, value::StrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::Value as Json;

use super::fault::Fault;

/// Notes of one reading of a value for the next one.
#[derive(Default)]
pub(super) struct Notes {
    /// Places of mistakes: empty values are read there.
    pub replaced: RefCell<BTreeSet<String>>,
    pub unknown: RefCell<BTreeMap<String, Option<String>>>,
}

impl Notes {
    fn has(&self, place: &str) -> bool {
        self.replaced.borrow().contains(place)
    }
}

/// A value at a place; `None`: an empty one of whatever type is expected.
pub(super) struct Typed<'n> {
    pub value: Option<&'n Json>,
    pub place: String,
    pub notes: &'n Notes,
}

impl<'n> Typed<'n> {
    /// The value of a member, or of an item.
    fn below(&self, name: &str, value: Option<&'n Json>) -> Self {
        let place = match self.place.as_str() {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        let value = value.filter(|_| !self.notes.has(&place));
        Self {
            value,
            place,
            notes: self.notes,
        }
    }

    fn text(&self) -> Option<&'n str> {
        self.value?.as_str().map(str::trim)
    }

    /// Notes the members that a struct does not have.
    fn check_members(&self, fields: &'static [&'static str]) {
        let members = self.value.and_then(Json::as_object).into_iter().flatten();
        for (name, _) in members.filter(|(name, _)| !fields.contains(&name.as_str())) {
            let meant = nearest(name, fields.iter().copied());
            let place = |name: &str| self.below(name, None).place;
            let mut unknown = self.notes.unknown.borrow_mut();
            unknown.insert(place(name), meant.map(place));
        }
    }

    fn members<'de, V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            Some(Json::Object(_)) | None => visitor.visit_map(ObjectMembers::new(self, fields)),
            Some(_) => self.deserialize_any(visitor),
        }
    }
}

/// Numbers: a text is read as the number it writes.
macro_rules! numbers {
    ($($method:ident $type:ty, $visit:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match (self.value, self.text().map(str::parse::<$type>)) {
                (None, _) => visitor.$visit(Default::default()),
                (_, Some(Ok(number))) => visitor.$visit(number),
                _ => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Typed<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            None | Some(Json::Null) => visitor.visit_unit(),
            Some(Json::Bool(truth)) => visitor.visit_bool(*truth),
            Some(Json::String(text)) => visitor.visit_str(text),
            Some(Json::Array(items)) => visitor.visit_seq(Items::new(self, items)),
            Some(Json::Object(_)) => visitor.visit_map(ObjectMembers::new(self, &[])),
            Some(Json::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
        }
    }

    numbers! {
        deserialize_i8 i8, visit_i8;
        deserialize_i16 i16, visit_i16;
        deserialize_i32 i32, visit_i32;
        deserialize_i64 i64, visit_i64;
        deserialize_u8 u8, visit_u8;
        deserialize_u16 u16, visit_u16;
        deserialize_u32 u32, visit_u32;
        deserialize_u64 u64, visit_u64;
        deserialize_f32 f32, visit_f32;
        deserialize_f64 f64, visit_f64;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match (self.value, self.text()) {
            (None, _) | (_, Some("false" | "0")) => visitor.visit_bool(false),
            (_, Some("true" | "1")) => visitor.visit_bool(true),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            None => visitor.visit_str(""),
            Some(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            None | Some(Json::Null) => visitor.visit_none(),
            Some(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text() {
            Some(text) => {
                let items = text.split(',').map(str::trim).filter(|it| !it.is_empty());
                let items: Vec<Json> = items.map(Json::from).collect();
                visitor.visit_seq(Items::of_text(self, items))
            }
            None if self.value.is_none() => visitor.visit_seq(Items::new(self, &[])),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.members(&[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.check_members(fields);
        let (place, notes) = (self.place.clone(), self.notes);
        let here = Typed {
            value: None,
            place,
            notes,
        };
        self.members(fields, visitor)
            .map_err(|fault| fault.in_struct(|field| here.below(field, None).place))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match (self.value, self.text()) {
            (None, _) => {
                let first = variants.first().copied().unwrap_or_default();
                let first: StrDeserializer<'_, Fault> = first.into_deserializer();
                first.deserialize_enum(name, variants, visitor)
            }
            (_, Some(word)) => {
                let word: StrDeserializer<'_, Fault> = word.into_deserializer();
                word.deserialize_enum(name, variants, visitor)
            }
            (Some(value), None) => value
                .clone()
                .deserialize_enum(name, variants, visitor)
                .map_err(Fault::of),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The members of an object, and the fields that are missing and were noted as mistakes.
struct ObjectMembers<'n> {
    of: Typed<'n>,
    left: Box<dyn Iterator<Item = (&'n str, Option<&'n Json>)> + 'n>,
    next: Option<(&'n str, Option<&'n Json>)>,
}

impl<'n> ObjectMembers<'n> {
    fn new(of: Typed<'n>, fields: &'static [&'static str]) -> Self {
        let object = of.value.and_then(Json::as_object);
        let sent = object.into_iter().flatten();
        let sent = sent.map(|(name, value)| (name.as_str(), Some(value)));
        // An empty object has all fields, empty; another one those whose lack is known.
        let all = of.value.is_none();
        let lacks = |field: &&&str| object.is_none_or(|object| !object.contains_key(**field));
        let replaced = |field: &&&str| all || of.notes.has(&of.below(field, None).place);
        let lacking = fields.iter().filter(lacks).filter(replaced);
        let lacking: Vec<_> = lacking.map(|field| (*field, None)).collect();
        Self {
            left: Box::new(sent.chain(lacking)),
            next: None,
            of,
        }
    }
}

impl<'de> MapAccess<'de> for ObjectMembers<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.next = self.left.next();
        let Some((name, _)) = self.next else {
            return Ok(None);
        };
        let name: StrDeserializer<'_, Fault> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (name, value) = self.next.take().unwrap_or_default();
        let member = self.of.below(name, value);
        let place = member.place.clone();
        seed.deserialize(member).map_err(|fault| fault.at(&place))
    }
}

/// The items of a list.
struct Items<'n> {
    of: Typed<'n>,
    items: Cow<'n, [Json]>,
    at: usize,
}

impl<'n> Items<'n> {
    fn new(of: Typed<'n>, items: &'n [Json]) -> Self {
        let items = Cow::Borrowed(items);
        Self { of, items, at: 0 }
    }

    /// The items that a text lists.
    fn of_text(of: Typed<'n>, items: Vec<Json>) -> Self {
        let items = Cow::Owned(items);
        Self { of, items, at: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(value) = self.items.get(self.at) else {
            return Ok(None);
        };
        let of: Typed<'_> = Typed {
            value: None,
            place: self.of.place.clone(),
            notes: self.of.notes,
        };
        let item = of.below(&self.at.to_string(), Some(value));
        self.at += 1;
        let place = item.place.clone();
        seed.deserialize(item)
            .map(Some)
            .map_err(|fault| fault.at(&place))
    }
}
