//! The words of a manifest: one place for reading, writing and the editor's schema.

/// Keys of a resource manifest.
pub const RESOURCE_KEYS: &[&str] = &[
    "name",
    "description",
    "model",
    "actions",
    "abilities",
    "page_limit",
    "search",
    "sort",
    "filter",
    "filters",
    "owner",
    "location",
    "transform",
    "repository",
    "was",
];

/// Keys of a supporting model's manifest.
pub const MODEL_FILE_KEYS: &[&str] = &["name", "description", "model", "was"];

/// Keys below `model:`.
pub const MODEL_KEYS: &[&str] = &[
    "name",
    "table",
    "key",
    "timestamps",
    "managed",
    "attributes",
    "relations",
    "indexes",
    "was",
];

/// Keys of an attribute's long form.
pub const ATTRIBUTE_KEYS: &[&str] = &[
    "type",
    "rules",
    "default",
    "nullable",
    "access",
    "set_by",
    "unique",
    "index",
    "description",
    "example",
    "storage",
    "constraint",
    "was",
];

/// The words of [`RelationWord::ALL`], in their order.
pub const RELATION_KINDS: &[&str] = &[
    "belongs_to",
    "has_one",
    "has_many",
    "many_to_many",
    "morph_one",
    "morph_many",
    "morph_to",
    "morph_many_to_many",
];

/// Options every relation may have.
pub const RELATION_OPTIONS: &[&str] = &["type", "include", "load", "was"];

/// Kind of a relation; every relation has one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RelationWord {
    BelongsTo,
    HasOne,
    HasMany,
    ManyToMany,
    MorphOne,
    MorphMany,
    MorphTo,
    MorphManyToMany,
}

impl RelationWord {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::BelongsTo,
        Self::HasOne,
        Self::HasMany,
        Self::ManyToMany,
        Self::MorphOne,
        Self::MorphMany,
        Self::MorphTo,
        Self::MorphManyToMany,
    ];

    /// Returns the word of the kind.
    pub fn text(self) -> &'static str {
        RELATION_KINDS[self as usize]
    }

    /// Returns the kind that a word names.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.text() == word)
    }

    /// Returns the options of the kind, beside [`RELATION_OPTIONS`].
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Self::BelongsTo => &["column", "target_key", "nullable", "constraint", "where"],
            Self::HasOne | Self::HasMany => &["column", "where", "order", "first"],
            Self::ManyToMany => &[
                "pivot",
                "column",
                "other_column",
                "where",
                "order",
                "first",
                "write",
            ],
            Self::MorphOne | Self::MorphMany => &["morph", "value", "where", "order", "first"],
            Self::MorphTo => &["morph"],
            Self::MorphManyToMany => &[
                "pivot",
                "morph",
                "value",
                "other_column",
                "where",
                "order",
                "first",
                "write",
            ],
        }
    }
}

/// Access words.
pub const ACCESS: &[&str] = &["write", "read_only", "write_only", "hidden", "admin_write"];

/// Setters of attributes that bodies need not send.
pub const SETTERS: &[&str] = &["hook", "database"];

/// Actions of a manifest that names none, and of the shorthand.
pub const DEFAULT_ACTIONS: &[&str] = &[
    "index",
    "show",
    "store:admin",
    "update:admin",
    "destroy:admin",
];

/// Column types.
pub const TYPES: &[&str] = &[
    "string", "text", "integer", "bigint", "float", "decimal", "boolean", "date", "time",
    "datetime", "json", "uuid", "enum",
];

/// Words of other systems for a column type.
pub const TYPE_ALIASES: &[(&str, &str)] = &[
    ("int", "integer"),
    ("smallint", "integer"),
    ("tinyint", "integer"),
    ("long", "bigint"),
    ("i32", "integer"),
    ("i64", "bigint"),
    ("number", "integer"),
    ("bool", "boolean"),
    ("varchar", "string"),
    ("char", "string"),
    ("str", "string"),
    ("longtext", "text"),
    ("double", "float"),
    ("real", "float"),
    ("numeric", "decimal"),
    ("money", "decimal"),
    ("timestamp", "datetime"),
    ("date_time", "datetime"),
    ("jsonb", "json"),
    ("array", "json"),
    ("guid", "uuid"),
];
