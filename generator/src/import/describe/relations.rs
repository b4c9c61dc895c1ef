//! Links between tables as relations of a manifest.

use std::collections::BTreeSet;

use formwork_vocabulary::inflect::{plural, singular};
use heck::ToSnakeCase;

use super::links::{Link, Links, Pivot};
use super::morphs::{Morph, odd_targets};
use super::names::{beginning, shortened};
use super::values::{Chosen, DescribedAttribute, DescribedRelation};
use crate::name;

/// The relations of one resource.
pub(super) fn of(
    links: &Links,
    one: &Chosen<'_>,
    attributes: &[DescribedAttribute],
    is_public: bool,
) -> Vec<DescribedRelation> {
    let mut taken: BTreeSet<String> = attributes
        .iter()
        .map(|attribute| attribute.name.clone())
        .collect();
    taken.extend([
        one.primary.column.clone(),
        "id".to_owned(),
        "links".to_owned(),
    ]);
    taken.extend(["created_at", "updated_at"].map(ToOwned::to_owned));
    let include = if is_public { "true" } else { "admin" };
    let mut relations = Vec::new();
    let has = |column: &str| {
        column == one.primary.column || attributes.iter().any(|own| own.name == column)
    };
    for link in links
        .links
        .iter()
        .filter(|link| link.own_table == one.table.name && has(&link.own_column))
    {
        relations.push(belongs_to(link, &mut taken, include));
    }
    for link in links
        .links
        .iter()
        .filter(|link| link.table == one.table.name && link.column == one.primary.column)
    {
        relations.push(inverse(link, &mut taken, include));
    }
    for pivot in &links.pivots {
        relations.extend(many_to_many(pivot, &one.key, &mut taken, include));
    }
    for morph in &links.morphs {
        relations.extend(morphed(morph, &one.key, &mut taken, include));
    }
    relations
}

/// The first of these names that no attribute or relation has.
pub(super) fn free(names: &[String], taken: &mut BTreeSet<String>) -> String {
    let stem = beginning(names[0].clone());
    let numbered = (2..).map(|number| shortened(&stem, &format!("_{number}")));
    let mut all = names.iter().cloned().chain(numbered);
    let is_legal = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name::is_column(name)
    };
    let is_free = |name: &String| {
        is_legal(name)
            && !taken
                .iter()
                .any(|one| name::field(one) == name::field(name))
    };
    let name = all.find(is_free).unwrap_or(stem);
    taken.insert(name.clone());
    name
}

fn belongs_to(link: &Link, taken: &mut BTreeSet<String>, include: &str) -> DescribedRelation {
    let stem = link.own_column.to_snake_case();
    let stem = stem.strip_suffix("_id").filter(|stem| !stem.is_empty());
    let one = singular(&link.target);
    let mut names: Vec<String> = stem.map(ToOwned::to_owned).into_iter().collect();
    names.extend([one.clone(), format!("{one}_row")]);
    let notes = link.is_guessed.then(|| {
        format!(
            "Guessed from the name: the database has no foreign key from `{}` to `{}`.",
            link.own_column, link.table
        )
    });
    DescribedRelation {
        name: free(&names, taken),
        entries: vec![
            ("belongs_to", link.target.clone()),
            ("column", link.own_column.clone()),
            ("include", include.to_owned()),
        ],
        notes: notes.into_iter().collect(),
        is_guessed: link.is_guessed,
    }
}

fn inverse(link: &Link, taken: &mut BTreeSet<String>, include: &str) -> DescribedRelation {
    let (kind, name) = match link.is_unique {
        true => ("has_one", singular(&link.own_key)),
        false => ("has_many", link.own_key.clone()),
    };
    let stem = link.own_column.to_snake_case();
    let by = stem.strip_suffix("_id").unwrap_or(&stem);
    let names = [name.clone(), format!("{name}_by_{by}")];
    let guess = format!(
        "Guessed from the name of `{}.{}`.",
        link.own_table, link.own_column
    );
    DescribedRelation {
        name: free(&names, taken),
        entries: vec![
            (kind, link.own_key.clone()),
            ("column", link.own_column.clone()),
            ("include", include.to_owned()),
        ],
        notes: link.is_guessed.then_some(guess).into_iter().collect(),
        is_guessed: link.is_guessed,
    }
}

fn many_to_many(
    pivot: &Pivot,
    key: &str,
    taken: &mut BTreeSet<String>,
    include: &str,
) -> Vec<DescribedRelation> {
    let [one, other] = &pivot.sides;
    let ways = [(one, other), (other, one)];
    let ways = ways.into_iter().filter(|(own, _)| own.1 == key);
    let relation = |((column, _), (other_column, target)): (
        &(String, String),
        &(String, String),
    )| {
        let stem = other_column.strip_suffix("_id").unwrap_or(other_column);
        let names = [target.clone(), plural(stem), format!("{target}_by_{stem}")];
        let entries = vec![
            ("many_to_many", target.clone()),
            ("pivot", pivot.table.clone()),
            ("column", column.clone()),
            ("other_column", other_column.clone()),
            ("include", include.to_owned()),
        ];
        let guess = format!(
            "Guessed from the names of `{column}` and `{other_column}` in `{}`, not all of them foreign keys.",
            pivot.table
        );
        let notes = pivot.is_guessed.then_some(guess).into_iter().collect();
        DescribedRelation {
            name: free(&names, taken),
            entries,
            notes,
            is_guessed: pivot.is_guessed,
        }
        .over_pivot(pivot.has_own_columns)
    };
    ways.map(relation).collect()
}

fn morphed(
    morph: &Morph,
    key: &str,
    taken: &mut BTreeSet<String>,
    include: &str,
) -> Vec<DescribedRelation> {
    let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut relations = Vec::new();
    if morph.key == key {
        let targets: Vec<String> = morph
            .targets
            .iter()
            .map(|(value, target)| format!("{}: {target}", text(value)))
            .collect();
        let unknown = (!morph.unknown.is_empty())
            .then(|| format!("Values that match no table: {}.", morph.unknown.join(", ")));
        let guessed = format!("Guessed from the values of `{}_type`.", morph.name);
        relations.push(DescribedRelation {
            name: free(&[morph.name.clone(), format!("{}_row", morph.name)], taken),
            entries: vec![
                ("morph_to", format!("{{ {} }}", targets.join(", "))),
                ("morph", morph.name.clone()),
                ("include", include.to_owned()),
            ],
            notes: [Some(guessed), unknown, odd_targets(&morph.odd)]
                .into_iter()
                .flatten()
                .collect(),
            is_guessed: true,
        });
    }
    for (value, _) in morph.targets.iter().filter(|(_, target)| *target == key) {
        relations.push(DescribedRelation {
            name: free(
                &[
                    morph.key.clone(),
                    format!("{}_by_{}", morph.key, morph.name),
                ],
                taken,
            ),
            entries: vec![
                ("morph_many", morph.key.clone()),
                ("morph", morph.name.clone()),
                ("value", text(value)),
                ("include", include.to_owned()),
            ],
            notes: vec![format!(
                "Guessed from the values of `{}.{}_type`.",
                morph.table, morph.name
            )],
            is_guessed: true,
        });
    }
    relations
}
