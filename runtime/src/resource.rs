//! Resources: registration records, controllers with their actions, repositories, requests,
//! transformers, and their arguments.

pub use formwork_core::{
    changes::{ColumnChange, RelationChange},
    resource::{ApiResource, Controller, SupportingModel},
};

/// Actions and their callers.
pub mod action {
    pub use formwork_core::action::{Action, ActionEntry, Allow};
}

/// The context of a request.
pub mod context {
    pub use formwork_core::context::{ClientInfo, Context, RequestFacts};
}

/// Controllers: the actions of a resource, and their hooks.
pub mod controller {
    pub use formwork_core::controller::{KeyOf, RestController};
}

/// The default actions, for controllers that do not override them, and for routes of your own.
///
/// Each is the provided method of `RestController` of the same name; an override calls it for the
/// behaviour it adds to.
pub mod default {
    pub use formwork_core::default::{
        ChangeKind, Hooks, RecordKey, create, delete_row, destroy, edit, index, show, store,
        update, write_relations,
    };
}

/// Filters with a name of their own.
pub mod filters {
    pub use formwork_core::filters::{CustomFilter, Filter, FilterValue, Filters};
}

/// Records with their loaded relations.
pub mod loaded {
    pub use formwork_core::loaded::{Loaded, LoadedRecord, Related};
}

/// The query string, understood.
pub mod params {
    pub use formwork_core::params::{
        ColumnFilter, Direction, FieldsParam, FilterOp, FilterValue, Include, KeysetParams,
        NamedFilter, PageParams, Params, SortKey,
    };
}

/// Repositories: which rows a caller may see, and how they are read and written.
pub mod repository {
    pub use formwork_core::repository::{
        LocationScope, Repository, RepositoryExt, delete, insert, location, sync_relations, update,
    };
}

/// Requests and their rules.
pub mod request {
    pub use formwork_core::custom_rule::RuleCheck;
    pub use formwork_core::request::{
        Attribute, Bound, CustomRule, CustomRules, Input, ResourceRequest, Rule, attribute,
    };
}

/// Transformers: how a record is shown.
pub mod transformer {
    pub use formwork_core::transformer::{Fallible, Links, Transformer, fallible};
}
