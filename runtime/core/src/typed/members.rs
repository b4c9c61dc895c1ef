//! Members of objects and items of lists, each at its place.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, value::StrDeserializer};
use serde_json::Value as Json;

use super::{Typed, fault::Fault};

/// The members of an object, and the fields that are missing and were noted as mistakes.
pub(super) struct Members<'n> {
    of: Typed<'n>,
    left: Box<dyn Iterator<Item = (&'n str, Option<&'n Json>)> + 'n>,
    next: Option<(&'n str, Option<&'n Json>)>,
}

impl<'n> Members<'n> {
    pub fn new(of: Typed<'n>, fields: &'static [&'static str]) -> Self {
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

impl<'de> MapAccess<'de> for Members<'_> {
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
pub(super) struct Items<'n> {
    of: Typed<'n>,
    items: Cow<'n, [Json]>,
    at: usize,
}

impl<'n> Items<'n> {
    pub fn new(of: Typed<'n>, items: &'n [Json]) -> Self {
        let items = Cow::Borrowed(items);
        Self { of, items, at: 0 }
    }

    /// The items that a text lists.
    pub fn of_text(of: Typed<'n>, items: Vec<Json>) -> Self {
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
