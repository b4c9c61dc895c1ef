//! The repository: how records are found.

use serde::Serialize;

use super::{code, code::Code, list_constant};
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
    custom: Vec<CustomView>,
}

#[derive(Debug, Clone, Serialize)]
struct CustomView {
    name: String,
    signature: String,
    /// The body: an error that names the filter.
    unfinished: String,
}

impl RepositoryView {
    pub(crate) fn new(resource: &Resource, api: &Api) -> Self {
        let lists = [
            ("SEARCH", &api.search),
            ("SORT", &api.sort),
            ("FILTER", &api.filter),
        ];
        let mut constants: Vec<String> = lists
            .map(|(name, columns)| list_constant(name, columns))
            .into();
        constants.extend(api.owner.as_ref().map(|owner| {
            let owner = Code::call("Some", [Code::text(owner)]);
            code::constant("const OWNER: Option<&'static str>", &owner)
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
            custom: custom
                .map(|filter| CustomView::new(filter, resource))
                .collect(),
        }
    }
}

impl CustomView {
    fn new(filter: &NamedFilter, resource: &Resource) -> Self {
        let what = format!(
            "the filter `{}` of {}",
            filter.name, resource.names.plural_words
        );
        let error = Code::call("Error::unfinished", [Code::text(&what)]);
        let body = Code::call("Err", [error.clone()]);
        let body = match error.lay_out(8, 12, 1).contains('\n') {
            // rustfmt lets the inner call take the brackets of the outer one.
            true => format!("Err({})", error.lay_out(8, 12, 1)),
            false => body.lay_out(8, 8, 0),
        };
        let params = [
            format!("_query: &mut Query<{}>", resource.names.model),
            "_value: &FilterValue".to_owned(),
            "_ctx: &Context".to_owned(),
        ];
        let signature = code::signature(&name::field(&filter.name), &params, "Result<()>");
        Self {
            name: filter.name.clone(),
            signature,
            unfinished: body,
        }
    }
}

fn location(api: &Api) -> Option<String> {
    let scope = api.location.as_ref()?;
    let bound = Code::call("location", [Code::text(&scope.relation)]);
    let bound = if scope.or_none {
        Code::Chain(Box::new(bound), vec![Code::call("or_none", [])])
    } else {
        bound
    };
    Some(code::constant(
        "const LOCATION: Option<LocationScope>",
        &Code::call("Some", [bound]),
    ))
}

fn declared(filter: &NamedFilter) -> String {
    let name = Code::text(&filter.name);
    let first = match &filter.kind {
        FilterKind::Column(column) => Code::call("to.column", [name, Code::text(column)]),
        FilterKind::Custom => {
            let method = Code::word(format!("Self::{}", name::field(&filter.name)));
            Code::call("to.custom", [name, method])
        }
    };
    let code = match &filter.default {
        Some(value) => Code::Chain(
            Box::new(first),
            vec![Code::call("default", [Code::text(value)])],
        ),
        None => first,
    };
    format!("{};", code.lay_out(8, 8, 1))
}
