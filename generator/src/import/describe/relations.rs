//! Relations of a table. Names come from columns and pivots, so they are the same on every database.

use std::collections::BTreeSet;

use formwork_vocabulary::inflect::{plural, singular};
use heck::ToSnakeCase;

use super::links::{Link, Links, Pivot};
use super::morphs::{Morph, odd_targets, word};
use super::naming::Unnamed;
use super::values::{Chosen, DescribedAttribute};

/// The relations of one resource, without names.
pub(super) fn of(
    links: &Links,
    one: &Chosen<'_>,
    attributes: &[DescribedAttribute],
) -> Vec<Unnamed> {
    let has = |column: &str| {
        column == one.primary.column || attributes.iter().any(|own| own.name == column)
    };
    let own = links.links.iter();
    let own = own.filter(|link| link.own_table == one.table.name && has(&link.own_column));
    let own = own.map(|link| belongs_to(link, links));
    let inverse_links = links.links.iter();
    let inverse_links = inverse_links
        .filter(|link| link.table == one.table.name && link.column == one.primary.column);
    let inverses = inverse_links.map(|link| inverse(link, links));
    let pivots = many_to_many(&links.pivots, &one.key);
    let morphs = links
        .morphs
        .iter()
        .flat_map(|morph| morphed(morph, &one.key));
    own.chain(inverses).chain(pivots).chain(morphs).collect()
}

/// The names that no relation of a resource can have.
pub(super) fn columns(one: &Chosen<'_>, attributes: &[DescribedAttribute]) -> BTreeSet<String> {
    let attributes = attributes.iter().map(|attribute| attribute.name.as_str());
    let reserved = ["id", "links", "created_at", "updated_at"];
    let all = attributes
        .chain([one.primary.column.as_str()])
        .chain(reserved);
    all.map(ToOwned::to_owned).collect()
}

/// Whether no other column of its table leads to the target of a link.
fn is_only(link: &Link, links: &Links) -> bool {
    let same = |other: &&Link| other.own_table == link.own_table && other.table == link.table;
    links.links.iter().filter(same).count() == 1
}

fn belongs_to(link: &Link, links: &Links) -> Unnamed {
    let column = link.own_column.to_snake_case();
    let stem = column.strip_suffix("_id").filter(|stem| !stem.is_empty());
    let one = singular(&link.target);
    let mut names: Vec<String> = stem.map(ToOwned::to_owned).into_iter().collect();
    names.extend(is_only(link, links).then(|| one.clone()));
    names.push(format!("{one}_by_{column}"));
    let notes = link.is_guessed.then(|| {
        format!(
            "Guessed from the name: the database has no foreign key from `{}` to `{}`.",
            link.own_column, link.table
        )
    });
    let entries = vec![
        ("belongs_to", link.target.clone()),
        ("column", link.own_column.clone()),
    ];
    Unnamed::new(names, entries, notes.into_iter().collect(), link.is_guessed)
}

fn inverse(link: &Link, links: &Links) -> Unnamed {
    let (kind, name) = match link.is_unique {
        true => ("has_one", singular(&link.own_key)),
        false => ("has_many", link.own_key.clone()),
    };
    let column = link.own_column.to_snake_case();
    let stem = column.strip_suffix("_id").unwrap_or(&column);
    let is_main = is_only(link, links) || stem == singular(&link.target);
    let mut names: Vec<String> = is_main.then(|| name.clone()).into_iter().collect();
    names.push(format!("{name}_by_{stem}"));
    names.push(format!("{name}_by_{column}"));
    let guess = format!(
        "Guessed from the name of `{}.{}`.",
        link.own_table, link.own_column
    );
    let notes = link.is_guessed.then_some(guess);
    let entries = vec![
        (kind, link.own_key.clone()),
        ("column", link.own_column.clone()),
    ];
    Unnamed::new(names, entries, notes.into_iter().collect(), link.is_guessed)
}

/// A way over a pivot, from one side to the other.
struct Way<'p> {
    pivot: &'p Pivot,
    column: &'p str,
    other_column: &'p str,
    target: &'p str,
}

impl Way<'_> {
    /// The end of the way by its column: `guests` for `guest_id`.
    fn stem(&self) -> String {
        let column = self.other_column.to_snake_case();
        plural(column.strip_suffix("_id").unwrap_or(&column))
    }

    /// Names that tell this way from all ways of the same resource.
    fn names(&self, all: &[Way<'_>]) -> Vec<String> {
        let same = all.iter().filter(|way| way.target == self.target);
        let is_only = same.clone().count() == 1;
        let stem = self.stem();
        let is_telling = same.filter(|way| way.stem() == stem).count() == 1;
        let by_pivot = format!("{}_by_{}", self.target, self.pivot.table.to_snake_case());
        let target = is_only.then(|| self.target.to_owned());
        let stems = is_telling.then(|| stem.clone());
        let last = [by_pivot.clone(), format!("{by_pivot}_{stem}")];
        target.into_iter().chain(stems).chain(last).collect()
    }
}

/// The relations of a resource through pivots.
fn many_to_many(pivots: &[Pivot], key: &str) -> Vec<Unnamed> {
    let sides = pivots.iter().flat_map(|pivot| {
        let [one, other] = &pivot.sides;
        [(pivot, one, other), (pivot, other, one)]
    });
    let sides = sides.filter(|(_, own, _)| own.1 == key);
    let ways = sides.map(|(pivot, own, other)| Way {
        pivot,
        column: &own.0,
        other_column: &other.0,
        target: &other.1,
    });
    let ways: Vec<Way<'_>> = ways.collect();
    ways.iter().map(|way| over(way, way.names(&ways))).collect()
}

fn over(way: &Way<'_>, names: Vec<String>) -> Unnamed {
    let Way {
        pivot,
        column,
        other_column,
        target,
    } = way;
    let entries = vec![
        ("many_to_many", (*target).to_owned()),
        ("pivot", pivot.table.clone()),
        ("column", (*column).to_owned()),
        ("other_column", (*other_column).to_owned()),
    ];
    let guess = format!(
        "Guessed from the names of `{column}` and `{other_column}` in `{}`, not all of them foreign keys.",
        pivot.table
    );
    let notes = pivot.is_guessed.then_some(guess).into_iter().collect();
    Unnamed::new(names, entries, notes, pivot.is_guessed).over_pivot(pivot.has_own_columns)
}

fn morphed(morph: &Morph, key: &str) -> Vec<Unnamed> {
    let own = (morph.key == key).then(|| morph_to(morph));
    let values = morph.targets.iter().filter(|(_, target)| *target == key);
    let inverses = values.map(|(value, _)| morph_many(morph, value));
    own.into_iter().chain(inverses).collect()
}

fn morph_to(morph: &Morph) -> Unnamed {
    let targets: Vec<String> = morph
        .targets
        .iter()
        .map(|(value, target)| format!("{}: {target}", json(value)))
        .collect();
    let unknown = (!morph.unknown.is_empty())
        .then(|| format!("Values that match no table: {}.", morph.unknown.join(", ")));
    let guessed = format!("Guessed from the values of `{}_type`.", morph.name);
    let notes = [Some(guessed), unknown, odd_targets(&morph.odd)];
    let names = vec![morph.name.clone(), format!("{}_row", morph.name)];
    let entries = vec![
        ("morph_to", format!("{{ {} }}", targets.join(", "))),
        ("morph", morph.name.clone()),
    ];
    Unnamed::new(names, entries, notes.into_iter().flatten().collect(), true)
}

fn morph_many(morph: &Morph, value: &str) -> Unnamed {
    let by_name = format!("{}_by_{}", morph.key, morph.name);
    let names = vec![
        morph.key.clone(),
        by_name.clone(),
        format!("{by_name}_{}", word(value)),
    ];
    let entries = vec![
        ("morph_many", morph.key.clone()),
        ("morph", morph.name.clone()),
        ("value", json(value)),
    ];
    let notes = vec![format!(
        "Guessed from the values of `{}.{}_type`.",
        morph.table, morph.name
    )];
    Unnamed::new(names, entries, notes, true)
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
