//! Parameters of the query string, as the resource accepts them.

use formwork_core::{
    action::{Action, MAX_PAGE_LIMIT, PAGE_LIMIT},
    registry::Entry,
};

use super::{
    document::{Components, OrRef, Parameter},
    filters::{self, names},
    reach::Reach,
    schema::{Named, Schema},
};

type Parameters = Vec<OrRef<Parameter>>;

/// The parameters of an action; those of several actions go to `shared`.
pub(super) fn parameters(
    reach: Reach<'_>,
    (index, entry): (usize, &Entry),
    action: Action,
    shared: &mut Components,
) -> Parameters {
    let mut all = Parameters::new();
    let mut here = |parameters: Vec<Parameter>| all.extend(parameters.into_iter().map(OrRef::Here));
    if action == Action::Index {
        here(list(entry, &mut shared.schemas));
    }
    for (family, parameter) in includes(reach, (index, entry), &mut shared.schemas) {
        let name = format!("{family}.{}", entry.key);
        all.push(OrRef::to("parameters", &name));
        shared.parameters.insert(name, parameter);
    }
    for kind in kinds(reach, (index, entry), action) {
        all.push(OrRef::to("parameters", &fields_name(kind)));
    }
    if action == Action::Index {
        all.extend(filters::parameters(entry).into_iter().map(OrRef::Here));
    }
    all
}

/// The types whose attributes an answer may leave out: all types for reads, the record's own for
/// changes.
fn kinds(reach: Reach<'_>, (index, entry): (usize, &Entry), action: Action) -> Vec<&'static str> {
    let mut kinds = vec![entry.key];
    if matches!(action, Action::Index | Action::Show) {
        for kind in reach.reached(index) {
            if !kinds.contains(&kind.name) {
                kinds.push(kind.name);
            }
        }
    }
    kinds
}

/// Page, order, search. A parameter with two names is described by one of them.
fn list(entry: &Entry, schemas: &mut Named<Schema>) -> Vec<Parameter> {
    let resource = entry.resource.as_ref();
    let sizes = resource.map_or((PAGE_LIMIT, MAX_PAGE_LIMIT), |it| {
        it.controller.page_sizes()
    });
    let mut all = Vec::from(pages(sizes));
    all.push(order(entry, schemas));
    all.extend(search(entry));
    all
}

/// Defaults are only in the descriptions: a client would send them beside another name of the same
/// parameter, which is a 400.
fn pages((size, largest): (u32, u32)) -> [Parameter; 4] {
    let sized = Schema {
        minimum: Some(1.into()),
        maximum: Some(largest.into()),
        ..Schema::of("integer")
    };
    // Without a format: a number beyond 64 bits is past the end, not refused.
    let number = Schema {
        minimum: Some(1.into()),
        ..Schema::of("integer")
    };
    let cursor = |name: &str, text: &str| Parameter::query(name, text, Schema::of("string"));
    let on_a_page = format!("Records on a page; {size} by default.");
    [
        Parameter::query("page", "The page, from 1 (the default).", number),
        Parameter::query("pageLimit", on_a_page, sized),
        cursor(
            "page[after]",
            "The records after this cursor; not together with `page[before]` or `page`.",
        ),
        cursor(
            "page[before]",
            "The records before this cursor; not together with `page[after]` or `page`.",
        ),
    ]
}

fn order(entry: &Entry, schemas: &mut Named<Schema>) -> Parameter {
    let queries = entry.source.queries();
    let both =
        names(entry, queries.sort).flat_map(|(name, _)| [name.to_owned(), format!("-{name}")]);
    let text = "Attributes in their order of precedence; `-` for descending, also written `name desc`. \
                The key breaks ties.";
    let component = format!("{}.sort", entry.key);
    schemas.insert(component.clone(), Schema::one_of(both));
    Parameter::list("sort", text, Schema::to(&component))
}

fn search(entry: &Entry) -> Vec<Parameter> {
    let columns = entry.source.queries().search;
    if columns.is_empty() {
        return Vec::new();
    }
    let text = match columns {
        [one] => format!("Every word must occur in {one}; case-insensitive."),
        _ => format!(
            "Every word must occur in one of {}, not necessarily the same one; case-insensitive.",
            columns.join(", ")
        ),
    };
    vec![Parameter::query("search", text, Schema::of("string"))]
}

/// `include` and `exclude`, where there is anything to include.
fn includes(
    reach: Reach<'_>,
    (index, entry): (usize, &Entry),
    schemas: &mut Named<Schema>,
) -> Vec<(&'static str, Parameter)> {
    let paths = reach.paths(index);
    if paths.is_empty() {
        return Vec::new();
    }
    let component = format!("{}.include", entry.key);
    schemas.insert(component.clone(), Schema::one_of(paths));
    let wanted = "Relations to show with the record, at most 3 levels deep.";
    let unwanted = "Relations to leave out that are shown by default.";
    [("include", wanted), ("exclude", unwanted)]
        .map(|(name, text)| (name, Parameter::list(name, text, Schema::to(&component))))
        .into()
}

/// The name of the component of a type's parameter `fields[…]`.
fn fields_name(kind: &str) -> String {
    format!("fields.{}", legal(kind))
}

/// A type with the characters that names of components may have.
pub(super) fn legal(kind: &str) -> String {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let letters = kind.chars();
    letters
        .map(|letter| if is_legal(letter) { letter } else { '_' })
        .collect()
}

/// Adds a type's parameter `fields[…]`. `None` for names: they depend on the record.
pub(super) fn fields(kind: &str, names: Option<Vec<String>>, shared: &mut Components) {
    let component = format!("{}.field", legal(kind));
    let items = names.map_or_else(|| Schema::of("string"), Schema::one_of);
    match shared.schemas.get_mut(&component) {
        // Several things may be of one type.
        Some(known) => widen(known, items),
        None => {
            shared.schemas.insert(component.clone(), items);
        }
    }
    let text = format!("Shows only these attributes of `{kind}`, and `id`.");
    let parameter = Parameter::list(format!("fields[{kind}]"), text, Schema::to(&component));
    shared.parameters.insert(fields_name(kind), parameter);
}

/// Adds further names.
fn widen(known: &mut Schema, more: Schema) {
    if known.options.is_empty() || more.options.is_empty() {
        known.options.clear();
        return;
    }
    for option in more.options {
        if !known.options.contains(&option) {
            known.options.push(option);
        }
    }
}
