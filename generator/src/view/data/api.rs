//! What a resource serves, as data.

use serde::Serialize;

use crate::project::{
    ActionEntry, Api, FilterKind, LocationScope, NamedFilter, Transform, TransformSource,
};

#[derive(Debug, Serialize)]
pub(super) struct ApiData<'p> {
    actions: Vec<ActionData>,
    abilities: &'p [String],
    page_limit: u32,
    max_page_limit: u32,
    search: &'p [String],
    sort: &'p [String],
    filter: &'p [String],
    filters: Vec<FilterData<'p>>,
    owner: Option<&'p str>,
    location: Option<LocationData<'p>>,
    transform: TransformData<'p>,
    /// Path of a repository type of the project's own; null where one is poured.
    repository: Option<&'p str>,
}

#[derive(Debug, Serialize)]
struct ActionData {
    name: &'static str,
    context: &'static str,
}

#[derive(Debug, Serialize)]
struct FilterData<'p> {
    name: &'p str,
    /// Null for a custom filter.
    column: Option<&'p str>,
    default: Option<&'p str>,
}

#[derive(Debug, Serialize)]
struct LocationData<'p> {
    relation: &'p str,
    or_none: bool,
}

#[derive(Debug, Serialize)]
struct TransformData<'p> {
    fields: Vec<TransformedData<'p>>,
    /// Empty: every visible attribute.
    only: &'p [String],
}

#[derive(Debug, Serialize)]
struct TransformedData<'p> {
    name: &'p str,
    /// The model's field; null for the list of the record's own link (`self`).
    field: Option<&'p str>,
}

impl<'p> ApiData<'p> {
    pub(super) fn new(api: &'p Api) -> Self {
        let Api {
            actions,
            abilities,
            page_limit,
            max_page_limit,
            search,
            sort,
            filter,
            filters,
            owner,
            location,
            transform,
            repository,
        } = api;
        Self {
            actions: actions.iter().map(ActionData::new).collect(),
            abilities,
            page_limit: *page_limit,
            max_page_limit: *max_page_limit,
            search,
            sort,
            filter,
            filters: filters.iter().map(FilterData::new).collect(),
            owner: owner.as_deref(),
            location: location.as_ref().map(LocationData::new),
            transform: TransformData::new(transform),
            repository: repository.as_deref(),
        }
    }
}

impl ActionData {
    fn new(entry: &ActionEntry) -> Self {
        let ActionEntry { action, context } = entry;
        Self {
            name: action.name(),
            context: context.name(),
        }
    }
}

impl<'p> FilterData<'p> {
    fn new(filter: &'p NamedFilter) -> Self {
        let NamedFilter {
            name,
            kind,
            default,
        } = filter;
        Self {
            name,
            column: match kind {
                FilterKind::Column(column) => Some(column),
                FilterKind::Custom => None,
            },
            default: default.as_deref(),
        }
    }
}

impl<'p> LocationData<'p> {
    fn new(location: &'p LocationScope) -> Self {
        let LocationScope { relation, or_none } = location;
        Self {
            relation,
            or_none: *or_none,
        }
    }
}

impl<'p> TransformData<'p> {
    fn new(transform: &'p Transform) -> Self {
        let Transform { fields, only } = transform;
        let fields = fields.iter().map(|(name, source)| TransformedData {
            name,
            field: match source {
                TransformSource::Column(field) => Some(field),
                TransformSource::SelfLinks => None,
            },
        });
        Self {
            fields: fields.collect(),
            only,
        }
    }
}
