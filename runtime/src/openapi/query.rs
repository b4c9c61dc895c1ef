//! Parameters of the query string, as the resource accepts them (http.md, "Query parameters").

use super::{
    document::{Named, OrRef, Parameter},
    filters,
    reach::Reach,
    schema::Schema,
};
use crate::{
    action::{Action, ActionConfig, MAX_PAGE_LIMIT, PAGE_LIMIT},
    noun::type_attribute,
    registry::Entry,
};

type Parameters = Vec<OrRef<Parameter>>;

/// A parameter of the query string.
pub(super) fn parameter(
    name: impl Into<String>,
    text: impl Into<String>,
    schema: Schema,
) -> Parameter {
    Parameter {
        name: name.into(),
        place: "query",
        description: text.into(),
        required: false,
        style: None,
        explode: None,
        schema,
    }
}

/// A comma list.
pub(super) fn listed(name: impl Into<String>, text: impl Into<String>, items: Schema) -> Parameter {
    Parameter {
        style: Some("form"),
        explode: Some(false),
        ..parameter(name, text, Schema::list(items))
    }
}

/// What an action of a resource may be asked for; what several actions are goes to `shared`.
pub(super) fn parameters(
    reach: Reach<'_>,
    (index, entry): (usize, &Entry),
    action: Action,
    shared: &mut Named<Parameter>,
) -> Parameters {
    let mut all = Parameters::new();
    let mut here = |parameters: Vec<Parameter>| all.extend(parameters.into_iter().map(OrRef::Here));
    if action == Action::Index {
        here(list(entry));
    }
    for (family, parameter) in includes(reach, index) {
        let name = format!("{family}.{}", entry.key);
        all.push(OrRef::to("parameters", &name));
        shared.put(name, parameter);
    }
    let mut kinds = vec![entry.key];
    kinds.extend(reach.reached(index).into_iter().map(|kind| kind.name));
    let mut seen = Vec::new();
    for kind in kinds {
        if !seen.contains(&kind) {
            seen.push(kind);
            all.push(OrRef::to("parameters", &fields_name(kind)));
        }
    }
    if action == Action::Index {
        all.extend(filters::parameters(entry).into_iter().map(OrRef::Here));
    }
    all
}

/// Page, order, search.
fn list(entry: &Entry) -> Vec<Parameter> {
    let configured = entry.resource.as_ref().map(|it| it.controller.actions());
    let mut configured = configured.unwrap_or_default().iter();
    let sizes = configured.find(|config| config.action() == Action::Index);
    let sizes = sizes.map_or((PAGE_LIMIT, MAX_PAGE_LIMIT), ActionConfig::page_sizes);
    let mut all = Vec::from(pages(sizes));
    all.push(order(entry));
    all.extend(search(entry));
    all
}

/// Nothing here has a default that a program could read: it would be sent beside what stands for
/// the same, which is 400.
fn pages((size, largest): (u32, u32)) -> [Parameter; 6] {
    let sized = || Schema {
        minimum: Some(1.into()),
        maximum: Some(largest.into()),
        ..Schema::of("integer")
    };
    let number = || Schema::from(1);
    let cursor = || Schema::of("string");
    let on_a_page = format!("Records on a page; {size} where it is not sent.");
    [
        parameter("page", "The page, from 1, which is the default.", number()),
        parameter("pageLimit", on_a_page, sized()),
        parameter("page[number]", "As `page`; not beside it.", number()),
        parameter("page[size]", "As `pageLimit`; not beside it.", sized()),
        parameter(
            "page[after]",
            "The rows behind this cursor; not beside a number.",
            cursor(),
        ),
        parameter(
            "page[before]",
            "The rows in front of this cursor; not beside a number.",
            cursor(),
        ),
    ]
}

/// The names that columns go by: their own, `id` for the key, and the one that documents know.
pub(super) fn names(entry: &Entry, allowed: &[&'static str]) -> Vec<(String, &'static str)> {
    let key = entry.source.schema().key;
    let mut names = vec![("id".to_owned(), key), (key.to_owned(), key)];
    for column in allowed {
        names.push(((*column).to_owned(), *column));
        if *column == "type" {
            names.push((type_attribute(entry.key), column));
        }
    }
    let mut once: Vec<(String, &'static str)> = Vec::new();
    for (name, column) in names {
        if once.iter().all(|(known, _)| *known != name) {
            once.push((name, column));
        }
    }
    once
}

fn order(entry: &Entry) -> Parameter {
    let queries = entry.source.queries();
    let names = names(entry, queries.sort);
    let both = names
        .iter()
        .flat_map(|(name, _)| [name.clone(), format!("-{name}")]);
    let text = "What counts first stands first; `-` for descending, also written `name desc`. The key \
                breaks ties.";
    listed("sort", text, Schema::one_of(both))
}

fn search(entry: &Entry) -> Vec<Parameter> {
    let columns = entry.source.queries().search;
    if columns.is_empty() {
        return Vec::new();
    }
    let text = format!(
        "Every word occurs in one and the same of {}; case does not count.",
        columns.join(", ")
    );
    let words = || Schema::of("string");
    vec![
        parameter("search", text, words()),
        parameter("filter[search]", "As `search`.", words()),
    ]
}

/// `include` and `exclude`, where there is anything to include.
fn includes(reach: Reach<'_>, index: usize) -> Vec<(&'static str, Parameter)> {
    let paths = reach.paths(index);
    if paths.is_empty() {
        return Vec::new();
    }
    let wanted = "Relations to show with the record, at most 3 levels deep.";
    let unwanted = "Relations that would be shown by default, and are not wanted.";
    [("include", wanted), ("exclude", unwanted)]
        .map(|(name, text)| {
            (
                name,
                listed(name, text, Schema::one_of(paths.iter().cloned())),
            )
        })
        .into()
}

/// What the parameter that narrows a type's attributes is called among the components.
fn fields_name(kind: &str) -> String {
    let legal = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let kind: String = kind
        .chars()
        .map(|letter| if legal(letter) { letter } else { '_' })
        .collect();
    format!("fields.{kind}")
}

/// The parameter that narrows a type's attributes, and its name among the components; `None` for
/// names: it depends on the record which there are.
pub(super) fn fields(kind: &str, names: Option<Vec<String>>) -> (String, Parameter) {
    let items = names.map_or_else(|| Schema::of("string"), Schema::one_of);
    let text = format!("Of `{kind}` only these attributes; `id` always stays.");
    (
        fields_name(kind),
        listed(format!("fields[{kind}]"), text, items),
    )
}

/// Adds what else a parameter may name.
pub(super) fn widen(known: &mut Parameter, more: Parameter) {
    let (Some(known), Some(more)) = (&mut known.schema.items, more.schema.items) else {
        return;
    };
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
