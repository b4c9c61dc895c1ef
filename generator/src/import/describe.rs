//! From a [`Catalogue`] to manifests, as values. Nothing here asks a database.

mod accounts;
mod attributes;
mod checks;
mod constraints;
mod identity;
mod keys;
mod known;
mod left_out;
mod links;
mod morph_pivots;
mod morphs;
mod names;
mod naming;
mod relations;
mod secret;
mod values;

use crate::manifest::ManifestKind;
use crate::project::{ColumnType, Database};

pub use self::identity::identity;
pub use self::known::{Known, KnownRelation, KnownRelations};
use self::values::Chosen;
pub use self::values::{
    Described, DescribedAttribute, DescribedManifest, DescribedRelation, Options,
};
use super::catalogue::{Catalogue, CatalogueColumn, CatalogueForeignKey, CatalogueTable};

/// Describes the tables of a catalogue.
pub fn describe(catalogue: &Catalogue, options: &Options) -> Described {
    let mut described = Described::default();
    let mut taken = names::Taken::new(&options.known);
    let (mut chosen, others) = choose(catalogue, options, &mut taken, &mut described);
    let pivots = links::pivots(&others, &chosen);
    let supporting = pivots.iter().filter(|pivot| pivot.has_own_columns);
    let supporting: Vec<Chosen<'_>> = supporting
        .filter_map(|pivot| supporting_model(pivot, &others, &chosen, options, &mut taken))
        .collect();
    chosen.extend(supporting);
    let is_whole = options.tables.is_empty();
    described
        .refused
        .extend(catalogue.unreachable.iter().filter(|_| is_whole).cloned());
    let mut links = links::Links::of(&chosen, pivots);
    links
        .morphs
        .retain(|morph| left_out::has_pair(morph, &chosen));
    let polymorphic = morph_pivots::of(&others, &chosen);
    let is_elsewhere = |table: &CatalogueTable| options.known.elsewhere(&table.name).is_some();
    let table_of = |key: &str| {
        let mut all = chosen.iter();
        all.find(|one| one.key == key)
            .map(|one| one.table.name.clone())
    };
    for one in chosen.iter().filter(|one| !is_elsewhere(one.table)) {
        let mut notices = Vec::new();
        let mut manifest = manifest(one, &links, catalogue.database, &mut notices);
        let mut found = relations::of(&links, one, &manifest.attributes);
        found.extend(morph_pivots::relations(&polymorphic, &one.key));
        let known = options.known.relations(&one.table.name);
        let columns = relations::columns(one, &manifest.attributes);
        manifest.relations = naming::named(found, &known, &columns, table_of);
        if options.selects(&one.table.name) {
            described.notices.extend(notices);
            described.notices.extend(manifest.guesses());
        }
        described.manifests.push(manifest);
    }
    let is_pivot = |table: &&CatalogueTable| {
        let mut through = polymorphic.iter();
        links.is_pivot(table) || through.any(|pivot| pivot.table == table.name)
    };
    let refused = others.into_iter().filter(|table| !is_pivot(table));
    let refused = refused.filter(|table| options.selects(&table.name));
    for table in refused.filter(|table| !is_elsewhere(table)) {
        let reason = keys::reason(table);
        described.refused.push((table.name.clone(), reason));
    }
    let pivots = links
        .pivots
        .iter()
        .map(|pivot| (&pivot.table, "many_to_many"));
    let morphed = polymorphic.iter();
    let morphed = morphed.map(|pivot| (&pivot.table, "morph_many_to_many"));
    let all = pivots.chain(morphed);
    for (table, relation) in all.filter(|(table, _)| options.selects(table)) {
        let reason = format!("a pivot table, imported as a `{relation}` relation");
        described.passed.push((table.clone(), reason));
    }
    described.notices.extend(unlooked(catalogue, options));
    left_out::leave_out(&mut described.manifests);
    described
        .manifests
        .retain(|manifest| options.selects(&manifest.table));
    described
        .manifests
        .sort_by(|one, other| one.key.cmp(&other.key));
    described.refused.sort();
    described
}

/// Notices of what was not looked at.
fn unlooked(catalogue: &Catalogue, options: &Options) -> impl Iterator<Item = String> {
    let tables = catalogue.tables.iter();
    let tables = tables.filter(|table| options.selects(&table.name));
    tables.flat_map(|table| {
        let notes = table.unlooked.iter();
        notes.map(|note| format!("{}: {note}", table.name))
    })
}

/// The tables with a usable key, and those without one.
fn choose<'c>(
    catalogue: &'c Catalogue,
    options: &'c Options,
    taken: &mut names::Taken<'_>,
    described: &mut Described,
) -> (Vec<Chosen<'c>>, Vec<&'c CatalogueTable>) {
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    let wanted = |table: &&CatalogueTable| {
        options.selects(&table.name) || options.known.has_table(&table.name)
    };
    let is_link = |table: &CatalogueTable, key: &CatalogueForeignKey| {
        let mut tables = catalogue.tables.iter().filter(wanted);
        let found = tables.find(|table| table.name.eq_ignore_ascii_case(&key.table));
        let there = found.and_then(keys::of);
        there.is_some_and(|there| links::holder(table, key, &there).is_ok())
    };
    for table in catalogue.tables.iter().filter(wanted) {
        let reason = names::refusal(&table.name, &options.table_prefix);
        if let Some(reason) = reason.or_else(|| twin(table, taken)) {
            if options.selects(&table.name) {
                described.refused.push((table.name.clone(), reason));
            }
            continue;
        }
        let elsewhere = options.known.elsewhere(&table.name);
        let selected = elsewhere.filter(|_| options.selects(&table.name));
        described.passed.extend(selected.map(|one| {
            let reason = format!("{} already describes it", one.path);
            (table.name.clone(), reason)
        }));
        match keys::of(table) {
            Some(primary) if !links::is_bare_pivot(table, |key| is_link(table, key)) => {
                let bare = bare_name(table, options);
                let key = taken.key(bare, &table.name);
                chosen.push(Chosen {
                    kind: elsewhere.map_or(ManifestKind::Resource, |one| one.kind),
                    table,
                    bare,
                    key,
                    primary,
                });
            }
            _ => others.push(table),
        }
    }
    let missing = options
        .tables
        .iter()
        .filter(|name| catalogue.tables.iter().all(|table| table.name != **name));
    let missing = missing.map(|name| {
        let mut unreachable = catalogue.unreachable.iter();
        let known = unreachable.find(|(table, _)| table == name);
        known
            .cloned()
            .unwrap_or_else(|| (name.clone(), "the database has no such table".to_owned()))
    });
    described.refused.extend(missing);
    (chosen, others)
}

/// The reason to refuse a table whose name differs only in case from another table's.
fn twin(table: &CatalogueTable, taken: &mut names::Taken<'_>) -> Option<String> {
    let is_first = taken.take_table(&table.name);
    (!is_first).then(|| "its name differs only in case from that of another table".to_owned())
}

/// The name of a table without the prefix.
fn bare_name<'c>(table: &'c CatalogueTable, options: &Options) -> &'c str {
    let bare = table.name.strip_prefix(&options.prefix);
    bare.filter(|bare| !bare.is_empty()).unwrap_or(&table.name)
}

/// A pivot with columns of its own: a model without routes, which both sides include.
fn supporting_model<'c>(
    pivot: &links::Pivot,
    others: &[&'c CatalogueTable],
    chosen: &[Chosen<'c>],
    options: &Options,
    taken: &mut names::Taken<'_>,
) -> Option<Chosen<'c>> {
    let table = *others.iter().find(|table| table.name == pivot.table)?;
    // Rows of a model have a key, which rows that are twice in the table lack.
    let [within, column] = pivot.key.as_ref()?;
    let own = table
        .column(column)
        .filter(|column| !column.nullable && crate::name::field(&column.name) == column.name)?;
    let mut sides = pivot.sides.iter();
    let side = sides.find(|(side, _)| side == column);
    let target = side.and_then(|(_, key)| chosen.iter().find(|one| one.key == *key));
    let kind = target.map(|one| one.primary.kind.clone());
    let kind = kind.or_else(|| keys::key_kind(own))?;
    let bare = bare_name(table, options);
    Some(Chosen {
        kind: ManifestKind::Model,
        table,
        bare,
        key: taken.key(bare, &table.name),
        primary: keys::RowKey {
            column: column.clone(),
            kind,
            with: vec![within.clone()],
            is_made: true,
            is_read_only: true,
            is_guessed: false,
            notes: vec![format!(
                "A pivot table with columns of its own: `{column}` is unique within one `{within}`."
            )],
        },
    })
}

fn manifest(
    one: &Chosen<'_>,
    links: &links::Links,
    database: Database,
    notices: &mut Vec<String>,
) -> DescribedManifest {
    let table = one.table;
    let timestamps = has_timestamps(table);
    let columns = attributes::of(one, links, timestamps, database);
    let mut notes = one.primary.notes.clone();
    notes.extend(table.notes.iter().cloned());
    notes.extend(table.unlooked.iter().cloned());
    notes.extend(columns.notes);
    let key = (one.primary.column.as_str(), &one.primary.kind);
    let own = one.primary.is_guessed.then(|| one.primary.column.clone());
    let mut guessed: Vec<String> = own.into_iter().collect();
    if let Some(notice) = accounts::notice(table, key) {
        notices.push(notice);
        notes.push(accounts::GUESSED.to_owned());
        guessed.push("accounts".to_owned());
    }
    if timestamps {
        let guess =
            "Guessed from the names: the service sets `created_at` and `updated_at`.".to_owned();
        notes.push(guess);
        guessed.push("created_at".to_owned());
    }
    let indexes = indexes(table, links, &columns.attributes);
    let is_read_only = table.is_view || one.primary.is_read_only;
    let actions = actions(table, is_read_only, &columns.blocked, &mut notes);
    let visible: Vec<&DescribedAttribute> = columns
        .attributes
        .iter()
        .filter(|one| one.access != Some("hidden"))
        .collect();
    let is_compared = |name: &str| table.column(name).is_none_or(|own| own.is_comparable);
    let comparable = |one: &&&DescribedAttribute| match one.kind {
        _ if !is_compared(&one.name) => false,
        ColumnType::Json => false,
        // MariaDB has no whole index of it; elsewhere it is the common type of short texts too.
        ColumnType::Text => database != Database::Mysql,
        _ => true,
    };
    let mut filter = vec![one.primary.column.clone()];
    filter.extend(
        visible
            .iter()
            .filter(comparable)
            .map(|one| one.name.clone()),
    );
    // The words of a list are filtered by, not searched.
    let is_list = |name: &str| table.column(name).is_some_and(|own| !own.words.is_empty());
    let is_text = |one: &&&DescribedAttribute| {
        matches!(one.kind, ColumnType::Text | ColumnType::String(_)) && !is_list(&one.name)
    };
    let search = visible
        .iter()
        .filter(is_text)
        .take(3)
        .map(|one| one.name.clone());
    let what = if table.is_view { "view" } else { "table" };
    let description = table.comment.clone();
    DescribedManifest {
        kind: one.kind,
        key: one.key.clone(),
        table: table.name.clone(),
        description: description.unwrap_or_else(|| format!("Rows of the {what} {}", table.name)),
        primary: (one.primary.column.clone(), one.primary.kind.clone()),
        key_with: one.primary.with.clone(),
        timestamps,
        filter,
        search: search.collect(),
        attributes: columns.attributes,
        relations: Vec::new(),
        indexes,
        actions,
        notes,
        guessed,
    }
}

/// The indexes that a manifest names: a foreign key has its own.
fn indexes(
    table: &CatalogueTable,
    links: &links::Links,
    attributes: &[DescribedAttribute],
) -> Vec<Vec<String>> {
    let is_attribute = |name: &String| attributes.iter().any(|one| one.name == *name);
    let is_link = |columns: &[String]| match columns {
        [only] => links.of_column(table, only).is_some(),
        _ => false,
    };
    let plain = table.indexes.iter().filter(|index| !index.is_unique);
    let plain = plain.map(|index| &index.columns);
    let named = plain.filter(|columns| columns.iter().all(is_attribute) && !is_link(columns));
    named.cloned().collect()
}

/// Whether the service can keep `created_at` and `updated_at`.
fn has_timestamps(table: &CatalogueTable) -> bool {
    let kept = |name: &str| {
        let column = table.columns.iter().find(|column| column.name == name);
        column.is_some_and(|column: &CatalogueColumn| {
            column.kind == Some(ColumnType::DateTime) && !column.is_generated
        })
    };
    kept("created_at") && kept("updated_at")
}

fn actions(
    table: &CatalogueTable,
    is_read_only: bool,
    blocked: &[String],
    notes: &mut Vec<String>,
) -> Vec<String> {
    let mut actions = vec!["index:admin", "show:admin"];
    if table.is_view {
        notes.push("A view, so it is read only.".to_owned());
    }
    if !is_read_only {
        match blocked {
            _ if let Some(why) = &table.closed => notes.push(format!("No `store`: {why}.")),
            [] => actions.push("store:admin"),
            columns => notes.push(format!(
                "No `store`: the table needs a value that requests cannot send: {}. Set it in a hook, then add \"store:admin\" to `actions`.",
                columns.join(", ")
            )),
        }
        actions.push("update:admin");
        match ["deleted_at", "deleted_on", "deletedAt", "discarded_at", "is_deleted"].iter().find(|name| table.column(name).is_some()) {
            None => actions.push("destroy:admin"),
            Some(column) => notes.push(format!(
                "No `destroy`: `{column}` looks like soft deletion, which a manifest cannot express. Lists show deleted rows too."
            )),
        }
    }
    actions.into_iter().map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests;
