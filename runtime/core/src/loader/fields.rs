//! Sparse fieldsets: `fields[menus]=menu_name,menu_price`.

use std::collections::{BTreeSet, HashMap};

use formwork_data::error::{Error, Result};

use crate::{
    context::Context,
    includes::Fields,
    params::{FieldsParam, did_you_mean},
    registry::Entry,
    rendering::type_attribute,
};

/// The fields that the client wants to see, by type.
#[derive(Debug, Default)]
pub(super) struct Fieldsets(HashMap<String, Fields>);

impl Fieldsets {
    /// Understands the parameters `fields[…]` of a request.
    ///
    /// # Errors 400 naming an unknown type or field, with "did you mean".
    pub fn read(ctx: &Context, params: &[FieldsParam]) -> Result<Self> {
        let mut sets = HashMap::new();
        for param in params {
            let entries = entries(ctx, &param.kind);
            if entries.is_empty() {
                let known: BTreeSet<&str> = types(ctx).map(|(kind, _)| kind).collect();
                let hint = did_you_mean(&param.kind, known);
                let message = format!("`{}` is not a type of records.{hint}", param.kind);
                return Err(Error::bad_parameter(&param.parameter, message));
            }
            sets.insert(param.kind.clone(), fields(&entries, param)?);
        }
        Ok(Self(sets))
    }

    /// The fields that are shown of the records of `key`, whose type in JSON:API is `kind`. There
    /// only the type counts; other renderings do not show it.
    pub fn of(&self, ctx: &Context, kind: &str, key: &str) -> Fields {
        let mut found = self.0.get(kind);
        if !ctx.rendering().is_json_api() {
            found = found.or_else(|| self.0.get(key));
        }
        found.cloned().unwrap_or_default()
    }
}

/// The types that documents show, and what is registered of each: resources have their own, and
/// what can be included the one its relation gives it.
fn types(ctx: &Context) -> impl Iterator<Item = (&'static str, usize)> {
    let registry = ctx.registry();
    let resources = registry
        .entries()
        .filter(|(_, entry)| entry.resource.is_some())
        .map(|(index, entry)| (entry.key, index));
    let relations = registry
        .entries()
        .flat_map(|(_, entry)| entry.source.relations());
    let included = relations
        .filter(|known| known.info.include.is_some())
        .flat_map(|known| known.targets.iter().map(move |target| (known, *target)))
        .filter_map(|(known, target)| {
            let entry = registry.get(target)?;
            Some((known.info.type_of(entry.key), target))
        });
    resources.chain(included)
}

/// The entries whose objects have a type in documents.
fn entries<'c>(ctx: &'c Context, kind: &str) -> Vec<&'c Entry> {
    let named = types(ctx).filter(|(known, _)| *known == kind);
    let all: BTreeSet<usize> = named.map(|(_, index)| index).collect();
    all.into_iter()
        .filter_map(|index| ctx.registry().get(index))
        .collect()
}

fn fields(entries: &[&Entry], param: &FieldsParam) -> Result<Fields> {
    let mut known = BTreeSet::new();
    let mut all_known = true;
    for entry in entries {
        match entry.source.shape().members() {
            Some(members) => known.extend(members.iter().map(|(name, _)| (*name).to_owned())),
            None => all_known = false,
        }
        let relations = entry.source.relations().iter();
        let includable = relations.filter(|relation| relation.info.include.is_some());
        known.extend(includable.map(|relation| relation.info.name.to_owned()));
    }
    let mut wanted = Vec::with_capacity(param.names.len());
    for name in &param.names {
        let is_key = entries
            .iter()
            .any(|entry| entry.source.schema().key == name);
        let is_type = |entry: &&Entry| *name == type_attribute(entry.key);
        if known.contains(name.as_str()) {
            wanted.push(name.clone());
        } else if known.contains("type") && entries.iter().any(is_type) {
            // The name it has in JSON:API.
            wanted.push("type".to_owned());
        } else if name == "id" || is_key {
            // It always stays.
        } else if all_known {
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            let message = format!("`{}` have no field `{name}`.{hint}", param.kind);
            return Err(Error::bad_parameter(&param.parameter, message));
        } else {
            // A shape that is not declared may have it, and a `type` of that name in JSON:API.
            wanted.push(name.clone());
            wanted.extend(entries.iter().any(is_type).then(|| "type".to_owned()));
        }
    }
    Ok(Fields::only(wanted))
}
