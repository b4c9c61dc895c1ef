//! The variables of templates: finished strings. Templates loop, print, and leave out empty parts;
//! types, names and layout are decided here.

mod accessor;
mod code;
mod data;
mod docs;
mod enums;
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

pub use data::{extension_data, resource_data};
pub use extension::ExtensionView;
pub use project::{ProjectView, server, server_url};

use crate::project::{Api, Names, Project, Resource};

/// The variables of a resource's templates; a supporting model has no `api`.
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
    #[serde(flatten)]
    names: Names,
    model: model::ModelView,
    api: Option<ApiView>,
    test: Option<test::TestView>,
}

/// View of a resource's API.
#[derive(Debug, Clone, Serialize)]
struct ApiView {
    prefix: String,
    /// `use super::{…};` of the controller.
    siblings: String,
    /// The constants of the controller: page limits that are not the runtime's own, abilities, former keys.
    constants: Vec<String>,
    /// The repository's type as the controller names it.
    repository_type: String,
    repository: Option<repository::RepositoryView>,
    request: request::RequestView,
    transformer: transformer::TransformerView,
    relations: Option<accessor::RelationsView>,
    docs: docs::DocsView,
    /// The text that the controller includes as `DOCS`, as its file names it; empty: none.
    docs_path: String,
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
            names: names.clone(),
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

impl ResourceView {
    /// The controller includes no text: its file was deleted, and stays so.
    pub fn without_docs(mut self) -> Self {
        if let Some(api) = &mut self.api {
            api.docs_path.clear();
        }
        self
    }
}

impl ApiView {
    fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let own = api.repository.is_none();
        Self {
            prefix: project.api_prefix.clone(),
            constants: constants(resource, api),
            siblings: siblings(resource, api),
            repository_type: api
                .repository
                .clone()
                .unwrap_or_else(|| resource.names.repository.clone()),
            repository: own.then(|| repository::RepositoryView::new(resource, api)),
            request: request::RequestView::new(project, resource, api),
            transformer: transformer::TransformerView::new(resource, api),
            relations: accessor::RelationsView::new(project, resource),
            docs: docs::DocsView::new(resource),
            docs_path: format!("../../../docs/{}.md", resource.key),
        }
    }
}

/// The `use super::{…};` of a controller.
fn siblings(resource: &Resource, api: &Api) -> String {
    let names = &resource.names;
    let mut used = vec![&names.model, &names.request, &names.transformer];
    if api.repository.is_none() {
        used.push(&names.repository);
    }
    code::import("super", used.into_iter().map(String::as_str).collect())
}

/// Constants of a controller that differ from the runtime's defaults.
fn constants(resource: &Resource, api: &Api) -> Vec<String> {
    let limit = |name: &str, limit| format!("const {name}: u32 = {limit};");
    let page = (api.page_limit != DEFAULT_PAGE_LIMIT).then(|| limit("PAGE_LIMIT", api.page_limit));
    let max = api.max_page_limit;
    let max =
        (max != DEFAULT_MAX_PAGE_LIMIT.max(api.page_limit)).then(|| limit("MAX_PAGE_LIMIT", max));
    let abilities = code::list_constant("REQUIRED_ABILITIES", &api.abilities);
    let former = code::list_constant("FORMER_KEYS", resource.was.as_slice());
    let lists = [abilities, former];
    let lists = lists.into_iter().filter(|list| !list.is_empty());
    page.into_iter().chain(max).chain(lists).collect()
}

/// Records on a page where nothing is said (docs/contract.md, "Query parameters").
const DEFAULT_PAGE_LIMIT: u32 = 20;

/// The runtime's largest page limit where the manifest sets none.
const DEFAULT_MAX_PAGE_LIMIT: u32 = 100;
