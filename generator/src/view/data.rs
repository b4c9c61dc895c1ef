//! The validated project as data, for templates that a project has written or changed itself: words and values
//! as the manifest has them, with what it left out filled in.

use serde::Serialize;
use serde_json::Value;

use super::enums;
use crate::column;
use crate::project::{
    Access, Api, Attribute, Extension, FilterKind, Include, Load, Model, Morph, Pivot, Relation,
    RelationKind, Resource, Rule,
};

/// An extension with everything it registers.
#[derive(Debug, Serialize)]
pub struct ExtensionData<'p> {
    id: &'p str,
    folder: &'p str,
    package: &'p str,
    library: &'p str,
    type_name: &'p str,
    resources: Vec<ResourceData<'p>>,
    models: Vec<ResourceData<'p>>,
}

/// A resource or supporting model.
#[derive(Debug, Serialize)]
pub struct ResourceData<'p> {
    key: &'p str,
    was: Option<&'p str>,
    /// Folder of its extension.
    extension: &'p str,
    title: &'p str,
    description: &'p str,
    module: &'p str,
    model_name: &'p str,
    table: &'p str,
    primary_key: ColumnData<'p>,
    timestamps: bool,
    managed: bool,
    attributes: Vec<AttributeData<'p>>,
    relations: Vec<RelationData<'p>>,
    indexes: &'p [Vec<String>],
    /// Null for a supporting model.
    api: Option<ApiData<'p>>,
}

#[derive(Debug, Serialize)]
struct ColumnData<'p> {
    name: &'p str,
    /// As the manifest writes it: `decimal(15,4)`.
    kind: String,
    rust_type: String,
}

#[derive(Debug, Serialize)]
struct AttributeData<'p> {
    #[serde(flatten)]
    column: ColumnData<'p>,
    field: &'p str,
    nullable: bool,
    default: Option<Value>,
    example: Option<Value>,
    access: &'static str,
    set_by_hook: bool,
    set_by_database: bool,
    unique: bool,
    index: bool,
    description: Option<&'p str>,
    rules: Vec<RuleData>,
    /// Key of the resource that a `belongs_to` column points to.
    references: Option<&'p str>,
}

#[derive(Debug, Serialize)]
struct RuleData {
    name: &'static str,
    arguments: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct RelationData<'p> {
    name: &'p str,
    kind: &'static str,
    target: &'p str,
    column: Option<&'p str>,
    target_key: Option<&'p str>,
    pivot: Option<&'p str>,
    pivot_column: Option<&'p str>,
    pivot_other_column: Option<&'p str>,
    morph: Option<&'p str>,
    include: &'static str,
    load_always: bool,
    load_for: &'p [String],
    sync: bool,
}

#[derive(Debug, Serialize)]
struct ApiData<'p> {
    actions: Vec<ActionData>,
    abilities: &'p [String],
    page_limit: u32,
    max_page_limit: u32,
    search: &'p [String],
    sort: &'p [String],
    filter: &'p [String],
    filters: Vec<FilterData<'p>>,
    owner: Option<&'p str>,
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

impl<'p> ExtensionData<'p> {
    /// The data of an extension.
    pub fn new(extension: &'p Extension) -> Self {
        let all = |list: &'p [Resource]| {
            let all = list.iter();
            all.map(|one| ResourceData::new(extension, one)).collect()
        };
        Self {
            id: &extension.id,
            folder: &extension.folder,
            package: &extension.package,
            library: &extension.library,
            type_name: &extension.type_name,
            resources: all(&extension.resources),
            models: all(&extension.models),
        }
    }
}

impl<'p> ResourceData<'p> {
    /// The data of a resource or supporting model.
    pub fn new(extension: &'p Extension, resource: &'p Resource) -> Self {
        let Model {
            table,
            key,
            timestamps,
            managed,
            attributes,
            relations,
            indexes,
            table_was: _,
        } = &resource.model;
        Self {
            key: &resource.key,
            was: resource.was.as_deref(),
            extension: &extension.folder,
            title: &resource.title,
            description: &resource.description,
            module: &resource.names.module,
            model_name: &resource.names.model,
            table,
            primary_key: ColumnData {
                name: &key.name,
                kind: column::column(&key.kind).manifest,
                rust_type: column::rust_type(&key.kind, false),
            },
            timestamps: *timestamps,
            managed: *managed,
            attributes: attributes
                .iter()
                .map(|attribute| AttributeData::new(resource, attribute))
                .collect(),
            relations: relations.iter().map(RelationData::new).collect(),
            indexes,
            api: resource.api.as_ref().map(ApiData::new),
        }
    }
}

impl<'p> AttributeData<'p> {
    fn new(resource: &Resource, attribute: &'p Attribute) -> Self {
        let references = attribute.references.as_ref();
        Self {
            column: ColumnData {
                name: &attribute.name,
                kind: column::column(&attribute.kind).manifest,
                rust_type: enums::field_type(resource, attribute),
            },
            field: &attribute.field,
            nullable: attribute.nullable,
            default: attribute.default.as_ref().map(column::json),
            example: attribute.example.as_ref().map(column::json),
            access: access(attribute.access),
            set_by_hook: attribute.set_by_hook,
            set_by_database: attribute.set_by_database,
            unique: attribute.unique,
            index: attribute.index,
            description: attribute.description.as_deref(),
            rules: attribute.rules.of_value().map(RuleData::new).collect(),
            references: references.map(|to| to.resource.as_str()),
        }
    }
}

fn access(access: Access) -> &'static str {
    match access {
        Access::Write => "write",
        Access::ReadOnly => "read_only",
        Access::WriteOnly => "write_only",
        Access::Hidden => "hidden",
        Access::AdminWrite => "admin_write",
    }
}

impl RuleData {
    fn new(rule: &Rule) -> Self {
        let texts = |texts: &[&String]| texts.iter().map(|one| (*one).clone()).collect();
        let arguments = match rule {
            Rule::DateFormat(one)
            | Rule::Min(one)
            | Rule::Max(one)
            | Rule::Size(one)
            | Rule::Regex(one)
            | Rule::After(one)
            | Rule::AfterOrEqual(one)
            | Rule::Before(one)
            | Rule::BeforeOrEqual(one)
            | Rule::Same(one)
            | Rule::ExcludeWithout(one) => texts(&[one]),
            Rule::Between(one, other) | Rule::Exists(one, other) => texts(&[one, other]),
            Rule::In(all) | Rule::NotIn(all) | Rule::RequiredWithout(all) => all.clone(),
            Rule::RequiredIf(attribute, values) => {
                let all = [attribute].into_iter().chain(values);
                all.cloned().collect()
            }
            Rule::Decimal(precision, scale) => vec![precision.to_string(), scale.to_string()],
            _ => Vec::new(),
        };
        Self {
            name: rule.name(),
            arguments,
        }
    }
}

impl<'p> RelationData<'p> {
    fn new(relation: &'p Relation) -> Self {
        let data = Self::of_kind(&relation.kind);
        Self {
            name: &relation.name,
            target: &relation.target,
            include: match relation.include {
                Include::Never => "never",
                Include::Allowed(context) => context.name(),
                Include::Default => "default",
            },
            load_always: relation.load != Load::IfIncluded,
            load_for: match &relation.load {
                Load::For(names) => names,
                Load::IfIncluded | Load::Always => &[],
            },
            sync: relation.sync,
            ..data
        }
    }

    fn of_kind(kind: &'p RelationKind) -> Self {
        let of = |kind, column: Option<&'p String>, pivot: Option<&'p Pivot>, morph| Self {
            kind,
            column: column.map(String::as_str),
            pivot: pivot.map(|pivot| pivot.table.as_str()),
            pivot_column: pivot.map(|pivot| pivot.column.as_str()),
            pivot_other_column: pivot.map(|pivot| pivot.other_column.as_str()),
            morph,
            ..Self::default()
        };
        let name = |morph: &'p Morph| Some(morph.name.as_str());
        match kind {
            RelationKind::BelongsTo { column, target_key } => Self {
                target_key: Some(target_key),
                ..of("belongs_to", Some(column), None, None)
            },
            RelationKind::HasOne { column } => of("has_one", Some(column), None, None),
            RelationKind::HasMany { column } => of("has_many", Some(column), None, None),
            RelationKind::ManyToMany(pivot) => of("many_to_many", None, Some(pivot), None),
            RelationKind::MorphOne(morph) => of("morph_one", None, None, name(morph)),
            RelationKind::MorphMany(morph) => of("morph_many", None, None, name(morph)),
            RelationKind::MorphTo { morph, .. } => of("morph_to", None, None, Some(morph)),
            RelationKind::MorphManyToMany { pivot, morph } => {
                of("morph_many_to_many", None, Some(pivot), name(morph))
            }
        }
    }
}

impl<'p> ApiData<'p> {
    fn new(api: &'p Api) -> Self {
        let actions = api.actions.iter().map(|entry| ActionData {
            name: entry.action.name(),
            context: entry.context.name(),
        });
        let filters = api.filters.iter().map(|filter| FilterData {
            name: &filter.name,
            column: match &filter.kind {
                FilterKind::Column(column) => Some(column),
                FilterKind::Custom => None,
            },
            default: filter.default.as_deref(),
        });
        Self {
            actions: actions.collect(),
            abilities: &api.abilities,
            page_limit: api.page_limit,
            max_page_limit: api.max_page_limit,
            search: &api.search,
            sort: &api.sort,
            filter: &api.filter,
            filters: filters.collect(),
            owner: api.owner.as_deref(),
        }
    }
}
