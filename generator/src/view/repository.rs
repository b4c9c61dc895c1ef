//! The repository: how records are found.

use serde::Serialize;

use super::code;
use super::request::UnfinishedView;
use crate::name;
use crate::project::{Api, FilterKind, NamedFilter, Resource};

/// Parts of `repository.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RepositoryView {
    /// `const SEARCH …` and so on, those that say something.
    constants: Vec<String>,
    /// Lines of `fn filters`.
    filters: Vec<String>,
    /// Methods for the user to fill.
    custom: Vec<UnfinishedView>,
}

impl RepositoryView {
    pub(crate) fn new(resource: &Resource, api: &Api) -> Self {
        let lists = [
            ("SEARCH", &api.search),
            ("SORT", &api.sort),
            ("FILTER", &api.filter),
        ];
        let mut constants: Vec<String> = lists
            .map(|(name, columns)| code::list_constant(name, columns))
            .into();
        constants.extend(api.owner.as_ref().map(|owner| {
            let owner = code::text(owner);
            format!("const OWNER: Option<&'static str> = Some({owner});")
        }));
        constants.extend(location(api));
        constants.retain(|constant| !constant.is_empty());
        let custom = api
            .filters
            .iter()
            .filter(|filter| filter.kind == FilterKind::Custom);
        Self {
            constants,
            filters: api.filters.iter().map(declared).collect(),
            custom: custom.map(|filter| unfinished(filter, resource)).collect(),
        }
    }
}

fn unfinished(filter: &NamedFilter, resource: &Resource) -> UnfinishedView {
    let params = [
        format!("_query: &mut Query<{}>", resource.names.model),
        "_value: &FilterValue".to_owned(),
        "_ctx: &Context".to_owned(),
    ];
    let signature = code::signature(&name::field(&filter.name), &params, "Result<()>");
    UnfinishedView::new(("filter", &filter.name), resource, signature)
}

fn location(api: &Api) -> Option<String> {
    let scope = api.location.as_ref()?;
    let relation = code::text(&scope.relation);
    let or_none = if scope.or_none { ".or_none()" } else { "" };
    Some(format!(
        "const LOCATION: Option<LocationScope> = Some(location({relation}){or_none});"
    ))
}

fn declared(filter: &NamedFilter) -> String {
    let name = code::text(&filter.name);
    let first = match &filter.kind {
        FilterKind::Column(column) => code::call("to.column", [name, code::text(column)]),
        FilterKind::Custom => {
            let method = format!("Self::{}", name::field(&filter.name));
            code::call("to.custom", [name, method])
        }
    };
    match &filter.default {
        Some(value) => format!("{first}.default({});", code::text(value)),
        None => format!("{first};"),
    }
}
