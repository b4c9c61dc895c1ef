//! The objects of a JSON:API document: each once, with the union of its relationships (jsonapi.org,
//! "Compound Documents").

use std::{borrow::Cow, collections::HashMap};

use formwork_data::error::{Error, Result};
use formwork_data::value::LinkKey;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::{
    context::Context,
    includes::{Includes, Node},
    outline::Outline,
    rows::{Members, Rows, Slot},
};

/// The level of an object: primary data, or the target of a relation.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    /// The type of its objects.
    pub kind: &'static str,
    /// Their index in the registry.
    pub source: Option<usize>,
    /// Whether a route shows them to the caller.
    pub linked: bool,
    /// The relations that are shown with them.
    pub includes: &'a Includes,
}

/// All objects of a document, the primary ones first.
pub(super) struct Graph<'a> {
    pub objects: Vec<Object<'a>>,
    places: HashMap<(&'static str, LinkKey), usize>,
}

/// An object: identified by type and key, shown by the rows it was first found in.
pub(super) struct Object<'a> {
    level: Level<'a>,
    key: LinkKey,
    rows: &'a dyn Rows,
    index: u32,
    relations: Vec<(&'a Node, Option<&'a Slot>)>,
    /// The levels it was found at: each is followed once.
    found_at: Vec<&'a Includes>,
}

impl<'a> Graph<'a> {
    /// The first `count` rows as primary data, and everything that is included with them.
    pub fn of(rows: &'a dyn Rows, count: u32, level: Level<'a>) -> Self {
        let alone = level.includes.shown().next().is_none();
        // Room for as many included objects as there are primary ones.
        let places = if alone { 0 } else { 2 * count as usize };
        let mut graph = Self {
            objects: Vec::with_capacity(count as usize),
            places: HashMap::with_capacity(places),
        };
        for index in 0..count {
            let key = rows.key(index);
            if !alone {
                let place = (level.kind, key.clone());
                graph.places.insert(place, graph.objects.len());
            }
            graph.objects.push(Object::new(rows, index, key, level));
        }
        if !alone {
            for index in 0..count {
                graph.follow(index as usize, rows, index, level.includes);
            }
        }
        graph
    }

    /// Adds the relationships of an object that was found at a level, and what they lead to.
    fn follow(&mut self, at: usize, rows: &'a dyn Rows, index: u32, includes: &'a Includes) {
        let known = &mut self.objects[at].found_at;
        if known.iter().any(|level| std::ptr::eq(*level, includes)) {
            return;
        }
        known.push(includes);
        for node in includes.shown() {
            let slot = rows.slot(index, node.name);
            let relations = &mut self.objects[at].relations;
            if relations.iter().all(|(other, _)| other.name != node.name) {
                relations.push((node, slot));
            }
            if let Some(slot) = slot {
                self.reach(node, slot);
            }
        }
    }

    fn reach(&mut self, node: &'a Node, slot: &'a Slot) {
        let (Some(rows), Some(target)) = (slot.rows.as_deref(), node.targets.get(slot.target))
        else {
            return;
        };
        let level = Level {
            kind: target.kind,
            source: Some(target.source),
            linked: target.linked,
            includes: &target.includes,
        };
        for index in slot.members.indexes() {
            let key = rows.key(*index);
            let next = self.objects.len();
            let place = (level.kind, key.clone());
            let at = *self.places.entry(place).or_insert(next);
            if at == next {
                self.objects.push(Object::new(rows, *index, key, level));
            }
            self.follow(at, rows, *index, level.includes);
        }
    }
}

impl<'a> Object<'a> {
    fn new(rows: &'a dyn Rows, index: u32, key: LinkKey, level: Level<'a>) -> Self {
        Self {
            level,
            key,
            rows,
            index,
            relations: Vec::new(),
            found_at: Vec::new(),
        }
    }

    /// Writes the object (jsonapi.org, "Resource Objects").
    ///
    /// # Errors
    /// 500 where the transformer returns no object.
    pub fn write(&self, out: &mut Vec<u8>, links: &mut Vec<u8>, ctx: &Context) -> Result<()> {
        out.push(b'{');
        write_identity(out, self.level.kind, &self.key)?;
        links.clear();
        self.write_attributes(out, links, ctx)?;
        self.write_relationships(out)?;
        let own = self.own_link(links, ctx);
        write_links(out, links, own)?;
        out.push(b'}');
        Ok(())
    }

    /// Writes the object of a record that is not there yet: it has neither id nor links.
    ///
    /// # Errors
    /// As [`Object::write`].
    pub fn write_blank(&self, out: &mut Vec<u8>, ctx: &Context) -> Result<()> {
        out.extend_from_slice(b"{\"type\":");
        write_json(out, self.level.kind)?;
        self.write_attributes(out, &mut Vec::new(), ctx)?;
        out.push(b'}');
        Ok(())
    }

    fn write_attributes(
        &self,
        out: &mut Vec<u8>,
        links: &mut Vec<u8>,
        ctx: &Context,
    ) -> Result<()> {
        let entry = self.level.source.and_then(|at| ctx.registry().get(at));
        let relations: Vec<&str> = self.relations.iter().map(|(node, _)| node.name).collect();
        let outline = Outline {
            fields: &self.level.includes.fields,
            relations: &relations,
            json_api: Some(entry.map_or(self.level.kind, |entry| entry.key)),
            blank: false,
        };
        out.extend_from_slice(b",\"attributes\":");
        self.rows
            .write_attributes(self.index, out, links, outline, ctx)
    }

    fn write_relationships(&self, out: &mut Vec<u8>) -> Result<()> {
        let fields = &self.level.includes.fields;
        let shown = self.relations.iter();
        let shown = shown.filter(|(node, _)| fields.show(node.name.as_bytes()));
        let mut before: &[u8] = b",\"relationships\":{";
        let mut any = false;
        for (node, slot) in shown {
            out.extend_from_slice(before);
            (before, any) = (b",", true);
            write_json(out, node.name)?;
            out.extend_from_slice(b":{\"data\":");
            write_linkage(out, node, *slot)?;
            out.push(b'}');
        }
        if any {
            out.push(b'}');
        }
        Ok(())
    }

    /// The link of the object, unless its transformer sets one or no route shows it to the caller.
    fn own_link(&self, links: &[u8], ctx: &Context) -> Option<String> {
        if !links.is_empty() || !self.level.linked {
            return None;
        }
        let entry = ctx.registry().get(self.level.source?)?;
        let links = match &self.key {
            LinkKey::Int(id) => ctx.links(entry.key, id),
            LinkKey::Text(id) => ctx.links(entry.key, id),
        };
        Some(links.into_self_uri())
    }
}

/// A transformer's link.
#[derive(Deserialize)]
struct Link<'a> {
    #[serde(borrow)]
    rel: Cow<'a, str>,
    #[serde(borrow)]
    uri: Cow<'a, str>,
}

/// A transformer's links as the links of an object: `[{"rel": "self", "uri": "…"}]` becomes
/// `{"self": "…"}`; an object of links stays one.
fn write_links(out: &mut Vec<u8>, links: &[u8], own: Option<String>) -> Result<()> {
    if links.is_empty() {
        return match own {
            Some(own) => write_own_link(out, &own),
            None => Ok(()),
        };
    }
    if let Ok(object) = serde_json::from_slice::<Map<String, Json>>(links) {
        out.extend_from_slice(b",\"links\":");
        return write_json(out, &object);
    }
    let pairs: Vec<Link<'_>> = serde_json::from_slice(links).unwrap_or_default();
    let mut before: &[u8] = b",\"links\":{";
    for (at, link) in pairs.iter().enumerate() {
        if pairs[..at].iter().any(|known| known.rel == link.rel) {
            continue;
        }
        out.extend_from_slice(before);
        before = b",";
        write_json(out, &*link.rel)?;
        out.push(b':');
        write_json(out, &*link.uri)?;
    }
    if !pairs.is_empty() {
        out.push(b'}');
    }
    Ok(())
}

fn write_own_link(out: &mut Vec<u8>, own: &str) -> Result<()> {
    out.extend_from_slice(b",\"links\":{\"self\":");
    write_json(out, own)?;
    out.push(b'}');
    Ok(())
}

/// Identifiers of the objects a relationship leads to: an array, one, or null.
fn write_linkage(out: &mut Vec<u8>, node: &Node, slot: Option<&Slot>) -> Result<()> {
    let many = slot.is_some_and(|slot| matches!(slot.members, Members::Many(_)));
    let indexes = slot.map_or(&[][..], |slot| slot.members.indexes());
    let rows = slot.and_then(|slot| slot.rows.as_deref());
    let target = slot.and_then(|slot| node.targets.get(slot.target));
    if many {
        out.push(b'[');
    }
    if let (Some(rows), Some(target)) = (rows, target) {
        for (at, index) in indexes.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",{" } else { b"{" });
            write_identity(out, target.kind, &rows.key(*index))?;
            out.push(b'}');
        }
    }
    if many {
        out.push(b']');
    } else if rows.is_none() || indexes.is_empty() {
        out.extend_from_slice(b"null");
    }
    Ok(())
}

/// `"type":"menus","id":"7"`.
fn write_identity(out: &mut Vec<u8>, kind: &str, key: &LinkKey) -> Result<()> {
    out.extend_from_slice(b"\"type\":");
    write_json(out, kind)?;
    out.extend_from_slice(b",\"id\":");
    match key {
        LinkKey::Int(id) => {
            out.push(b'"');
            write_json(out, id)?;
            out.push(b'"');
            Ok(())
        }
        LinkKey::Text(id) => write_json(out, id),
    }
}

fn write_json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(links: &str, own: Option<&str>) -> String {
        let mut out = Vec::new();
        write_links(&mut out, links.as_bytes(), own.map(str::to_owned)).expect("JSON");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn links_of_transformers_become_those_of_objects() {
        let list = r#"[{"rel":"self","uri":"/m/1"},{"rel":"pay","uri":"/\u00e4"},{"rel":"pay","uri":"x"}]"#;
        assert_eq!(
            written(list, None),
            r#","links":{"self":"/m/1","pay":"/ä"}"#
        );
        assert_eq!(
            written(r#"{"self":{"href":"/m"}}"#, None),
            r#","links":{"self":{"href":"/m"}}"#
        );
        assert_eq!(written("", Some("/m/1")), r#","links":{"self":"/m/1"}"#);
        for nothing in ["", "[]", "null", "7", "\"x\""] {
            assert_eq!(written(nothing, None), "", "{nothing}");
        }
    }

    #[test]
    fn keys_are_strings() {
        let mut out = Vec::new();
        write_identity(&mut out, "menus", &LinkKey::Int(-7)).expect("JSON");
        write_identity(&mut out, "menus", &LinkKey::Text("a\"b".to_owned())).expect("JSON");
        let seen = String::from_utf8(out).expect("UTF-8");
        assert_eq!(
            seen,
            r#""type":"menus","id":"-7""type":"menus","id":"a\"b""#
        );
    }
}
