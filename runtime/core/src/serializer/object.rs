//! The members of an object on their way into an answer.

use serde::{
    Serialize,
    ser::{self, SerializeMap, SerializeStruct},
};
use serde_json::{Error, Serializer};

use crate::outline::{Outline, Verdict};

/// Writes members: `id` first, a name once, what the outline leaves of them.
pub(super) struct MemberWriter<'a> {
    out: &'a mut Vec<u8>,
    outline: Outline<'a>,
    /// Where the value of `links` goes in JSON:API.
    links: Option<&'a mut Vec<u8>>,
    /// Where the first member begins.
    start: usize,
    /// The positions of the written names, quotes included.
    names: Vec<(usize, usize)>,
    /// The marks of the written names.
    marks: u64,
    /// The name of a map's entry whose value is to come, and whether it is written.
    pending: Option<Pending>,
}

enum Pending {
    Write { at: usize },
    Links,
    Skip,
}

/// The name of the first member, as it stands behind another one.
const ID: &[u8] = b",\"id\":";

/// The bit of a name in quotes: names with different ones are different, so that most members need
/// no comparison with all that are written.
fn mark(name: &[u8]) -> u64 {
    let letter = |at: usize| name.get(at).map_or(0, |letter| usize::from(*letter));
    let end = name.len().saturating_sub(2);
    1 << ((letter(1) + 7 * letter(end) + 31 * name.len()) % 64)
}

impl<'a> MemberWriter<'a> {
    pub(super) fn begin(
        out: &'a mut Vec<u8>,
        outline: Outline<'a>,
        links: Option<&'a mut Vec<u8>>,
    ) -> Self {
        out.push(b'{');
        let start = out.len();
        Self {
            out,
            outline,
            links,
            start,
            names: Vec::with_capacity(24),
            marks: 0,
            pending: None,
        }
    }

    pub(super) fn finish(self) -> Result<bool, Error> {
        Ok(!self.names.is_empty())
    }

    pub(super) fn member<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<(), Error> {
        let pending = self.name(name)?;
        self.value(pending, value)
    }

    /// Writes a name, and a comma before it; removes both if the member is left out.
    fn name<N: Serialize + ?Sized>(&mut self, name: &N) -> Result<Pending, Error> {
        let at = self.out.len();
        if !self.names.is_empty() {
            self.out.push(b',');
        }
        let from = self.out.len();
        name.serialize(&mut Serializer::new(&mut *self.out))?;
        let to = self.out.len();
        // Names are strings; anything else, such as a number, is made one as serde_json would.
        if self.out.get(from) != Some(&b'"') {
            self.out.insert(from, b'"');
            self.out.push(b'"');
        }
        let to = to.max(self.out.len());
        let to = match self.outline.verdict(&self.out[from + 1..to - 1]) {
            Verdict::Write => to,
            Verdict::Rename(other) => {
                self.out.truncate(from);
                other.serialize(&mut Serializer::new(&mut *self.out))?;
                self.out.len()
            }
            Verdict::Links => {
                self.out.truncate(at);
                return Ok(Pending::Links);
            }
            Verdict::Skip => {
                self.out.truncate(at);
                return Ok(Pending::Skip);
            }
        };
        let mark = mark(&self.out[from..to]);
        if self.marks & mark != 0 && self.written(from, to) {
            self.out.truncate(at);
            return Ok(Pending::Skip);
        }
        self.marks |= mark;
        self.names.push((from, to));
        self.out.push(b':');
        Ok(Pending::Write { at })
    }

    fn value<T: Serialize + ?Sized>(&mut self, pending: Pending, value: &T) -> Result<(), Error> {
        let at = match (pending, self.links.as_deref_mut()) {
            (Pending::Write { at }, _) => at,
            (Pending::Links, Some(links)) => {
                links.clear();
                return value.serialize(&mut Serializer::new(links));
            }
            _ => return Ok(()),
        };
        value.serialize(&mut Serializer::new(&mut *self.out))?;
        if at > self.start {
            self.move_id(at);
        }
        Ok(())
    }

    /// Moves the last member, which begins with a comma at `at`, to the front if it is the id.
    fn move_id(&mut self, at: usize) {
        if !self.out[at..].starts_with(ID) {
            return;
        }
        let mut member = self.out.split_off(at);
        // Its comma goes behind it.
        member.rotate_left(1);
        let length = member.len();
        self.out.splice(self.start..self.start, member);
        for (from, to) in &mut self.names {
            *from += length;
            *to += length;
        }
        if let Some(id) = self.names.last_mut() {
            // Its name is without comma and colon.
            *id = (self.start, self.start + ID.len() - 2);
        }
    }

    fn written(&self, from: usize, to: usize) -> bool {
        let name = &self.out[from..to];
        let mut names = self.names.iter();
        names.any(|(begin, end)| self.out[*begin..*end] == *name)
    }
}

impl SerializeStruct for MemberWriter<'_> {
    type Ok = bool;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.member(key, value)
    }

    fn end(self) -> Result<bool, Error> {
        self.finish()
    }
}

impl SerializeMap for MemberWriter<'_> {
    type Ok = bool;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.pending = Some(self.name(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match self.pending.take() {
            Some(pending) => self.value(pending, value),
            None => Err(ser::Error::custom("a value without a name")),
        }
    }

    fn end(self) -> Result<bool, Error> {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{includes::Includes, serializer::adapter::RecordSerializer};

    fn outline<'a>(relations: &'a [&'a str]) -> Outline<'a> {
        Outline {
            fields: &Includes::none().fields,
            relations,
            json_api: None,
            blank: false,
        }
    }

    fn written(value: &impl Serialize, outline: Outline<'_>) -> String {
        let mut out = b"x".to_vec();
        value
            .serialize(RecordSerializer::new(&mut out, outline))
            .expect("an object");
        out.push(b'}');
        String::from_utf8(out).expect("UTF-8")
    }

    #[derive(Serialize)]
    struct Menu {
        id: i64,
        name: &'static str,
        media: Option<&'static str>,
    }

    #[derive(Serialize)]
    struct Shaped<'a> {
        name: &'static str,
        #[serde(flatten)]
        menu: &'a Menu,
    }

    const MENU: Menu = Menu {
        id: 7,
        name: "Soup \"hot\"",
        media: None,
    };

    #[test]
    fn a_struct_is_written_as_serde_json_would() {
        let plain = serde_json::to_string(&MENU).expect("JSON");
        assert_eq!(written(&MENU, outline(&[])), format!("x{plain}"));
    }

    #[test]
    fn a_name_is_written_once_and_the_id_first() {
        let shaped = Shaped {
            name: "Soup",
            menu: &MENU,
        };
        assert_eq!(
            written(&shaped, outline(&[])),
            r#"x{"id":7,"name":"Soup","media":null}"#
        );
        let value = json!({"a": [1], "id": 9, "ids": 1, "z": {"id": 2}});
        assert_eq!(
            written(&value, outline(&[])),
            r#"x{"id":9,"a":[1],"ids":1,"z":{"id":2}}"#
        );
    }

    #[test]
    fn an_included_relation_replaces_a_member_of_the_same_name() {
        let media = outline(&["media"]);
        assert_eq!(written(&MENU, media), r#"x{"id":7,"name":"Soup \"hot\""}"#);
        assert_eq!(written(&json!({"media": 1}), media), "x{}");
    }

    #[test]
    fn json_api_has_names_of_its_own() {
        let value = json!({"id": 1, "type": "F", "links": [{"rel": "self"}], "name": "x"});
        let outline = Outline {
            json_api: Some("coupons"),
            ..outline(&[])
        };
        let (mut out, mut links) = (Vec::new(), Vec::new());
        let serializer = RecordSerializer::new(&mut out, outline).links_into(&mut links);
        assert!(value.serialize(serializer).expect("an object"));
        let seen = String::from_utf8(out).expect("UTF-8");
        assert_eq!(seen, r#"{"name":"x","coupon_type":"F""#);
        assert_eq!(links, br#"[{"rel":"self"}]"#);
    }

    #[test]
    fn values_other_than_objects_are_refused() {
        for value in [json!(1), json!("x"), json!([1]), json!(null), json!(true)] {
            let mut out = Vec::new();
            let serializer = RecordSerializer::new(&mut out, outline(&[]));
            assert!(value.serialize(serializer).is_err(), "{value}");
        }
    }
}
