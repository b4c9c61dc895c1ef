//! The validated model of a project: legal by construction, ordered, and free of YAML, templates
//! and disk. If a [`Project`] exists, every template renders.

use std::collections::{BTreeMap, BTreeSet};

/// A database kind a project emits migrations for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Database {
    /// Embedded SQLite.
    Sqlite,
    /// PostgreSQL (refused with "not yet").
    Postgres,
    /// MySQL or MariaDB (refused with "not yet").
    Mysql,
}

/// Everything the manifests of a project describe.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// Package name of the project's root crate, `bistro`.
    pub package: String,
    /// Its library name, `bistro`.
    pub library: String,
    /// Databases migrations are emitted for.
    pub databases: BTreeSet<Database>,
    /// Path prefix of the API, `/api`.
    pub api_prefix: String,
    /// The table of customer accounts (`auth.customers`), where the project has one.
    pub customers_table: Option<String>,
    /// Extensions, sorted by folder.
    pub extensions: Vec<Extension>,
}

/// One extension: a crate that registers resources.
#[derive(Debug, Clone, PartialEq)]
pub struct Extension {
    /// Name as users write it, `igniter.cart` or `shop`.
    pub id: String,
    /// Folder below `extensions/`, `igniter_cart`.
    pub folder: String,
    /// Package name, `igniter-cart`.
    pub package: String,
    /// Library name, `igniter_cart`.
    pub library: String,
    /// Name of the type that implements `Extension`, `Cart`.
    pub type_name: String,
    /// Resources with routes, sorted by key.
    pub resources: Vec<Resource>,
    /// Supporting models (no routes), sorted by key.
    pub models: Vec<Resource>,
}

/// A resource, or a supporting model when it has no [`Api`].
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Registered key and path segment, `menus`.
    pub key: String,
    /// `was:` the key it had before, `dishes`.
    pub was: Option<String>,
    /// Display name, `Menus`.
    pub title: String,
    /// One or more sentences for doc comments and registration.
    pub description: String,
    /// Rust names, made legal once.
    pub names: Names,
    /// The table and its row.
    pub model: Model,
    /// What is served; `None` for a supporting model.
    pub api: Option<Api>,
    /// Path of the manifest below the project, with `/`.
    pub manifest_path: String,
    /// Hash (SHA-256, hex) of the manifest's text.
    pub manifest_hash: String,
}

/// Rust names of a resource; legal identifiers, no keyword, no collision with the prelude.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    /// Module and folder, `menus`.
    pub module: String,
    /// Controller type, `Menus` (`SeriesController` where singular and plural are equal).
    pub controller: String,
    /// Model type, `Menu`.
    pub model: String,
    /// Repository type, `MenuRepository`.
    pub repository: String,
    /// Request type, `MenuRequest`.
    pub request: String,
    /// Transformer type, `MenuTransformer`.
    pub transformer: String,
    /// A local variable that holds one record, `menu`.
    pub variable: String,
    /// One record in words, `menu` (`menu item option`).
    pub singular_words: String,
    /// Several records in words, `menus`.
    pub plural_words: String,
}

/// What is served for a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Api {
    /// Actions in the order index, create, store, show, edit, update, destroy.
    pub actions: Vec<ActionEntry>,
    /// Abilities, any of which suffices: `menus:*`.
    pub abilities: Vec<String>,
    /// Records of a page unless the client asks otherwise.
    pub page_limit: u32,
    /// The most records of a page.
    pub max_page_limit: u32,
    /// Columns of `search`.
    pub search: Vec<String>,
    /// Columns of `sort`.
    pub sort: Vec<String>,
    /// Columns of `filter[…]`.
    pub filter: Vec<String>,
    /// Named filters, in the order of the manifest.
    pub filters: Vec<NamedFilter>,
    /// The column that names the owning customer.
    pub owner: Option<String>,
    /// Binding to locations.
    pub location: Option<LocationScope>,
    /// What the transformer adds to or leaves of the attributes.
    pub transform: Transform,
    /// Path of a repository type of the user's own instead of a poured one.
    pub repository: Option<String>,
}

/// One of the seven default actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Index,
    Create,
    Store,
    Show,
    Edit,
    Update,
    Destroy,
}

/// Who may call an action (spec 2.5, http.md "Who may do what").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Context {
    All,
    Guest,
    Users,
    Customer,
    Admin,
}

/// An action with its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionEntry {
    /// The action.
    pub action: Action,
    /// Who may call it.
    pub context: Context,
}

/// The table and its row.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Table name.
    pub table: String,
    /// The name the table had before: said of the table, or the former key where the table is named after it.
    pub table_was: Option<String>,
    /// Primary key.
    pub key: Key,
    /// Whether `created_at` and `updated_at` (nullable datetimes) are kept.
    pub timestamps: bool,
    /// False: somebody else's table, no migration.
    pub managed: bool,
    /// Columns in the order of the manifest (without key and timestamps), `belongs_to` columns included.
    pub attributes: Vec<Attribute>,
    /// Relations in the order of the manifest.
    pub relations: Vec<Relation>,
    /// Further indexes: lists of columns.
    pub indexes: Vec<Vec<String>>,
}

/// Primary key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Column and field name, `menu_id`.
    pub name: String,
    /// `was:` the name the column had before.
    pub was: Option<String>,
    /// `BigInt` (generated by the database), `Uuid` (generated by the runtime) or `String(n)` (sent by the client).
    pub kind: ColumnType,
}

/// A column's type, as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ColumnType {
    /// Length in characters, 255 by default.
    String(u32),
    Text,
    /// 32 bits.
    Integer,
    /// 64 bits.
    BigInt,
    Float,
    /// Precision (at most 18) and scale.
    Decimal(u8, u8),
    Boolean,
    Date,
    Time,
    DateTime,
    Json,
    Uuid,
    /// Values in the order of the manifest; stored as text.
    Enum(Vec<String>),
}

/// One column that is neither key nor timestamp.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Column name, and attribute name of bodies and answers.
    pub name: String,
    /// `was:` the name the column had before.
    pub was: Option<String>,
    /// Rust field: the name, made a legal identifier (`type` becomes `r#type`).
    pub field: String,
    /// Type.
    pub kind: ColumnType,
    /// Whether the column holds NULL.
    pub nullable: bool,
    /// Default value, already of the column's type.
    pub default: Option<Literal>,
    /// Who reads and writes it.
    pub access: Access,
    /// `set_by: hook`: a hook of the controller fills it.
    pub set_by_hook: bool,
    /// Unique index.
    pub unique: bool,
    /// Plain index.
    pub index: bool,
    /// Doc comment.
    pub description: Option<String>,
    /// A value for documentation and tests.
    pub example: Option<Literal>,
    /// Rules, complete: those the type brings and the implied `required` included.
    pub rules: Rules,
    /// `storage: native`: a decimal stored as the database's own number.
    pub native_storage: bool,
    /// False: no foreign key constraint for a `belongs_to` column.
    pub constraint: bool,
    /// For a `belongs_to` column: the relation it belongs to, target table and column.
    pub references: Option<Reference>,
}

/// What a `belongs_to` column points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Key of the registered target.
    pub resource: String,
    /// Table of the target.
    pub table: String,
    /// Column of the target.
    pub column: String,
    /// Whether that column is the target's primary key.
    pub is_primary: bool,
}

/// A default or example value.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    /// As written, checked to be a number of the column's scale (also floats).
    Number(String),
    /// Strings, enums, dates (`2026-01-31`), times (`12:00:00`), datetimes (RFC 3339), uuids.
    Text(String),
    /// JSON text.
    Json(String),
}

/// Who reads and writes an attribute (command-line.md "Access").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Access {
    Write,
    ReadOnly,
    WriteOnly,
    Hidden,
    AdminWrite,
}

/// Rules of an attribute by action. What runs on store is `all` then `store`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    /// On store and update.
    pub all: Vec<Rule>,
    /// On store alone.
    pub store: Vec<Rule>,
    /// On update alone.
    pub update: Vec<Rule>,
    /// Rules of list items, `field.*`.
    pub items: Vec<Rule>,
}

/// One rule, arguments parsed and checked against the attribute's type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Rule {
    Required,
    Nullable,
    Sometimes,
    Present,
    String,
    Integer,
    Numeric,
    Boolean,
    Array,
    Email,
    Url,
    Uuid,
    Date,
    Time,
    /// A date without a time is `Date`; this is RFC 3339. Brought by the type datetime.
    DateTime,
    /// A PHP date format (`H:i`, `Y-m-d`).
    DateFormat(String),
    /// Numbers as written, `0.01`.
    Min(String),
    Max(String),
    Between(String, String),
    Size(String),
    In(Vec<String>),
    NotIn(Vec<String>),
    Alpha,
    AlphaDash,
    Regex(String),
    /// Unique in the resource's own table and column.
    Unique,
    /// Table and column in which the value must occur.
    Exists(String, String),
    Same(String),
    Confirmed,
    /// Attribute and the values that make this one required.
    RequiredIf(String, Vec<String>),
    RequiredWithout(Vec<String>),
    ExcludeWithout(String),
    /// A decimal of at most this precision and scale. Brought by the type decimal.
    Decimal(u8, u8),
}

/// A relation to another registered key.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Name in includes and answers.
    pub name: String,
    /// Kind, columns and pivot.
    pub kind: RelationKind,
    /// Keys of the registered targets; one but for `morph_to`.
    pub target: String,
    /// Its type in JSON:API, where it differs from the target's key.
    pub json_type: Option<String>,
    /// Only rows whose column equals the value: `where: { is_allergen: true }`.
    pub conditions: Vec<(String, Literal)>,
    /// `order: [-priority, name]`.
    pub order: Vec<String>,
    /// `first: true`: only the first row, rendered as an object or null.
    pub first: bool,
    /// Who may include it.
    pub include: Include,
    /// `load: always`.
    pub load_always: bool,
    /// `write: sync`.
    pub sync: bool,
}

/// Who may include a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Include {
    /// Nobody: it is for hooks and computed attributes.
    Never,
    /// Who passes the target's own rules; narrowed to the context.
    Allowed(Context),
    /// Shown unless excluded.
    Default,
}

/// Kind of a relation with the columns it joins by.
#[derive(Debug, Clone, PartialEq)]
pub enum RelationKind {
    /// `column` of this table holds `target_key` of the target.
    BelongsTo {
        /// Column here.
        column: String,
        /// Column there.
        target_key: String,
    },
    /// `column` of the target holds this row's key.
    HasOne {
        /// Column there.
        column: String,
    },
    /// As `HasOne`, many.
    HasMany {
        /// Column there.
        column: String,
    },
    /// By a pivot table.
    ManyToMany(Pivot),
    /// `<morph>_type` and `<morph>_id` of the target name this row.
    MorphOne(Morph),
    /// As `MorphOne`, many.
    MorphMany(Morph),
    /// `<morph>_type` and `<morph>_id` of this table name the target.
    MorphTo {
        /// Column prefix.
        morph: String,
        /// Stored value and registered key of each target.
        targets: Vec<(String, String)>,
    },
    /// By a pivot table with `<morph>_type` and `<morph>_id` for this side.
    MorphManyToMany {
        /// Pivot table; `column` is `<morph>_id`.
        pivot: Pivot,
        /// Prefix and stored value.
        morph: Morph,
    },
}

/// A pivot table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pivot {
    /// Table name.
    pub table: String,
    /// Column that holds this side's key.
    pub column: String,
    /// Column that holds the other side's key.
    pub other_column: String,
    /// Whether Formwork creates the table: true for the first (in key order) of the relations that name it,
    /// and only where no model of that table exists.
    pub owned: bool,
    /// The names it had before, where `was:` on the resources, their keys or the pivot gave it others.
    pub was: Option<FormerPivot>,
}

/// The names of a pivot before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerPivot {
    /// Table name.
    pub table: String,
    /// Column that holds this side's key.
    pub column: String,
    /// Column that holds the other side's key.
    pub other_column: String,
}

/// Polymorphic columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Morph {
    /// Prefix: `<name>_type`, `<name>_id`.
    pub name: String,
    /// The value stored in `<name>_type` for this resource.
    pub value: String,
}

/// A filter by name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFilter {
    /// Parameter name.
    pub name: String,
    /// Compares a column, or calls a method that the user fills.
    pub kind: FilterKind,
    /// Applies where the client sends none.
    pub default: Option<String>,
}

/// What a named filter does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterKind {
    /// `where: column`: equality; a comma list means any of them.
    Column(String),
    /// `custom`: a poured method to fill.
    Custom,
}

/// Binding to locations (http.md "Location-bound resources").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationScope {
    /// Name of the relation to locations.
    pub relation: String,
    /// Rows of no location are seen, too.
    pub or_none: bool,
}

/// What the transformer returns beside or instead of the attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transform {
    /// Output name and its source, in the order of the manifest, `id` first if named.
    pub fields: Vec<(String, TransformSource)>,
    /// `only:` these attributes; empty means all that are visible.
    pub only: Vec<String>,
}

/// Where a transformed field comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransformSource {
    /// A column (by its Rust field name `field` of the attribute or key).
    Column(String),
    /// `self`: a list with the record's own link (spec 2.2).
    SelfLinks,
}

impl Project {
    /// The resource or supporting model registered under `key`, with its extension. (Every relation
    /// asks for its target: a search through all of them would make a run grow with their square.)
    pub fn find(&self, key: &str) -> Option<(&Extension, &Resource)> {
        let among =
            |sorted: &'_ [Resource]| sorted.binary_search_by(|one| one.key.as_str().cmp(key));
        self.extensions.iter().find_map(|extension| {
            let (resources, models) = (&extension.resources, &extension.models);
            let resource = among(resources).ok().map(|at| &resources[at]);
            let found = resource.or_else(|| among(models).ok().map(|at| &models[at]));
            found.map(|found| (extension, found))
        })
    }

    /// Every resource and supporting model with its extension, by folder, then resources before models, by key.
    pub fn registered(&self) -> impl Iterator<Item = (&Extension, &Resource)> {
        self.extensions.iter().flat_map(|extension| {
            extension
                .resources
                .iter()
                .chain(&extension.models)
                .map(move |resource| (extension, resource))
        })
    }

    /// Units by present name with the one they had before: `was:` on resources and models.
    pub fn former_units(&self) -> BTreeMap<String, String> {
        let named = self.registered().filter_map(|(extension, resource)| {
            let (folder, was) = (&extension.folder, resource.was.as_ref()?);
            Some((
                format!("{folder}.{}", resource.key),
                format!("{folder}.{was}"),
            ))
        });
        named.filter(|(now, was)| now != was).collect()
    }
}
