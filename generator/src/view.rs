//! What templates see: finished strings. Templates loop, print, and leave out what is empty;
//! everything about types, names and layout is decided here.

mod code;
mod data;
mod docs;
mod example;
mod extension;
mod model;
mod project;
mod relation;
mod repository;
mod request;
mod rule;
mod test;
mod text;
mod transformer;

use serde::Serialize;

pub use data::{ExtensionData, ResourceData};
pub use extension::ExtensionView;
pub use project::ProjectView;

use crate::project::{Action, Api, Project, Resource};

/// What the templates of a resource see; those of a supporting model see it without `api`.
#[derive(Debug, Clone, Serialize)]
pub struct ResourceView {
    key: String,
    title: String,
    /// `menu`, `a menu`, `Menu` and `menus`.
    singular: String,
    a_singular: String,
    capital_singular: String,
    plural: String,
    /// The same as parts of Rust names.
    singular_name: String,
    a_singular_name: String,
    plural_name: String,
    module: String,
    controller: String,
    repository: String,
    request: String,
    transformer: String,
    model: model::ModelView,
    api: Option<ApiView>,
    test: Option<test::TestView>,
}

/// What is served.
#[derive(Debug, Clone, Serialize)]
struct ApiView {
    prefix: String,
    /// `use super::{…};` of the controller.
    siblings: String,
    /// `const ACTIONS: … = …;` of the controller.
    actions: String,
    /// `const REQUIRED_ABILITIES: … = …;`; empty where any token will do.
    abilities: String,
    /// `const FORMER_KEYS: … = …;` of the controller; empty where the resource had no other key.
    former_keys: String,
    /// The repository's type as the controller names it.
    repository_type: String,
    repository: Option<repository::RepositoryView>,
    request: request::RequestView,
    transformer: transformer::TransformerView,
    docs: docs::DocsView,
}

impl ResourceView {
    /// The view of a resource or supporting model.
    pub fn new(project: &Project, resource: &Resource) -> Self {
        let names = &resource.names;
        let a_singular = text::with_article(&names.singular_words);
        Self {
            key: resource.key.clone(),
            title: resource.title.clone(),
            capital_singular: text::capital(&names.singular_words),
            singular_name: names.singular_words.replace(' ', "_"),
            a_singular_name: a_singular.replace(' ', "_"),
            plural_name: names.plural_words.replace(' ', "_"),
            singular: names.singular_words.clone(),
            a_singular,
            plural: names.plural_words.clone(),
            module: names.module.clone(),
            controller: names.controller.clone(),
            repository: names.repository.clone(),
            request: names.request.clone(),
            transformer: names.transformer.clone(),
            model: model::ModelView::new(project, resource),
            api: resource
                .api
                .as_ref()
                .map(|api| ApiView::new(project, resource, api)),
            test: resource
                .api
                .as_ref()
                .map(|api| test::TestView::new(project, resource, api)),
        }
    }
}

impl ApiView {
    fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let own = api.repository.is_none();
        let actions = api.actions.iter();
        let actions = actions.map(|entry| configured(entry.action, api));
        Self {
            prefix: project.api_prefix.clone(),
            siblings: siblings(resource, api),
            actions: format!(
                "const ACTIONS: &'static [ActionConfig] = {};",
                code::list(actions)
            ),
            abilities: code::list_constant("REQUIRED_ABILITIES", &api.abilities),
            former_keys: code::list_constant("FORMER_KEYS", resource.was.as_slice()),
            repository_type: api
                .repository
                .clone()
                .unwrap_or_else(|| resource.names.repository.clone()),
            repository: own.then(|| repository::RepositoryView::new(resource, api)),
            request: request::RequestView::new(project, resource, api),
            transformer: transformer::TransformerView::new(resource, api),
            docs: docs::DocsView::new(project, resource, api),
        }
    }
}

/// What the controller names of its folder.
fn siblings(resource: &Resource, api: &Api) -> String {
    let names = &resource.names;
    let mut used = vec![&names.model, &names.request, &names.transformer];
    if api.repository.is_none() {
        used.push(&names.repository);
    }
    code::import("super", used.into_iter().map(String::as_str).collect())
}

/// `index().page_limit(20)`.
fn configured(action: Action, api: &Api) -> String {
    let call = format!("{}()", action.name());
    if action != Action::Index {
        return call;
    }
    let call = format!("{call}.page_limit({})", api.page_limit);
    if api.max_page_limit == DEFAULT_MAX_PAGE_LIMIT.max(api.page_limit) {
        return call;
    }
    format!("{call}.max_page_limit({})", api.max_page_limit)
}

/// What the runtime allows where nothing is said (http.md "Query parameters").
const DEFAULT_MAX_PAGE_LIMIT: u32 = 100;
