//! Attributes and their rules as data.

use serde::Serialize;
use serde_json::Value;

use crate::column;
use crate::project::{Access, Attribute, Key, Resource, Rule, Rules};
use crate::view::enums;

#[derive(Debug, Serialize)]
pub(super) struct ColumnData<'p> {
    name: &'p str,
    /// As the manifest writes it: `decimal(15,4)`.
    kind: String,
    rust_type: String,
}

#[derive(Debug, Serialize)]
pub(super) struct AttributeData<'p> {
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
    /// Rules of list items.
    item_rules: Vec<RuleData>,
    native_storage: bool,
    /// False: no foreign key for a `belongs_to` column.
    constraint: bool,
    /// Key of the resource that a `belongs_to` column points to.
    references: Option<&'p str>,
}

#[derive(Debug, Serialize)]
struct RuleData {
    name: &'static str,
    arguments: Vec<String>,
    /// The actions that it is for: `all` (store and update), `store` or `update`.
    on: &'static str,
}

impl<'p> ColumnData<'p> {
    pub(super) fn of_key(key: &'p Key) -> Self {
        let Key {
            name,
            was: _,
            kind,
            with: _,
        } = key;
        Self {
            name,
            kind: column::column(kind).manifest.into_owned(),
            rust_type: column::rust_type(kind, false),
        }
    }
}

impl<'p> AttributeData<'p> {
    pub(super) fn new(resource: &Resource, attribute: &'p Attribute) -> Self {
        let Attribute {
            name,
            was: _,
            former_values: _,
            field,
            kind,
            nullable,
            default,
            access,
            set_by_hook,
            set_by_database,
            unique,
            index,
            description,
            example,
            rules,
            native_storage,
            constraint,
            references,
        } = attribute;
        Self {
            column: ColumnData {
                name,
                kind: column::column(kind).manifest.into_owned(),
                rust_type: enums::field_type(resource, attribute),
            },
            field,
            nullable: *nullable,
            default: default.as_ref().map(column::json),
            example: example.as_ref().map(column::json),
            access: access_word(*access),
            set_by_hook: *set_by_hook,
            set_by_database: *set_by_database,
            unique: *unique,
            index: *index,
            description: description.as_deref(),
            rules: rules_of_value(rules),
            item_rules: RuleData::list(&rules.items, "all"),
            native_storage: *native_storage,
            constraint: *constraint,
            references: references.as_ref().map(|to| to.resource.as_str()),
        }
    }
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::Write => "write",
        Access::ReadOnly => "read_only",
        Access::WriteOnly => "write_only",
        Access::Hidden => "hidden",
        Access::AdminWrite => "admin_write",
    }
}

fn rules_of_value(rules: &Rules) -> Vec<RuleData> {
    let Rules {
        all,
        store,
        update,
        items: _,
    } = rules;
    let lists = [(all, "all"), (store, "store"), (update, "update")];
    let lists = lists.map(|(rules, on)| RuleData::list(rules, on));
    lists.into_iter().flatten().collect()
}

impl RuleData {
    fn list(rules: &[Rule], on: &'static str) -> Vec<Self> {
        let rules = rules.iter().map(|rule| Self {
            name: rule.name(),
            arguments: arguments(rule),
            on,
        });
        rules.collect()
    }
}

fn arguments(rule: &Rule) -> Vec<String> {
    match rule {
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
        | Rule::ExcludeWithout(one)
        | Rule::Custom(one) => vec![one.clone()],
        Rule::Between(one, other) | Rule::Exists(one, other) => vec![one.clone(), other.clone()],
        Rule::In(all) | Rule::NotIn(all) | Rule::RequiredWithout(all) => all.clone(),
        Rule::RequiredIf(attribute, values) => {
            let all = [attribute].into_iter().chain(values);
            all.cloned().collect()
        }
        Rule::Decimal(precision, scale) => vec![precision.to_string(), scale.to_string()],
        Rule::Required
        | Rule::Nullable
        | Rule::Sometimes
        | Rule::Present
        | Rule::String
        | Rule::Integer
        | Rule::Numeric
        | Rule::Boolean
        | Rule::Array
        | Rule::Email
        | Rule::Url
        | Rule::Uuid
        | Rule::Date
        | Rule::Time
        | Rule::DateTime
        | Rule::Alpha
        | Rule::AlphaDash
        | Rule::Unique
        | Rule::Confirmed => Vec::new(),
    }
}
