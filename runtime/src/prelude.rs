//! The names that poured and hand-written code uses: `use formwork::prelude::*;`.

pub use crate::resource::default;
pub use formwork_core::{
    action::{Action, Allow},
    actions,
    auth::{Account, AdminUser, Caller, hash_password},
    context::{ClientInfo, Context},
    controller::{KeyOf, RestController},
    extension::{BoxFuture, Extension, Permission},
    filters::{FilterValue, Filters},
    loaded::{Loaded, LoadedRecord, Related},
    params::{Params, SortKey},
    repository::{LocationScope, Repository, RepositoryExt as _, location},
    request::{Attribute, CustomRule, CustomRules, Input, ResourceRequest, attribute},
    resource::{ApiResource, SupportingModel},
    response::Response,
    status::Status as _,
    transformer::{Links, Transformer, fallible},
};
pub use formwork_data::{
    decimal::Decimal,
    error::{Error, Result, ValidationErrors},
    migration::Migration,
    model::{Columns, Model},
    query::{Query, QueryInPlace},
    record::ModelExt as _,
    relations::{Relations, morph, pivot},
    shape::{Shape, Shaped},
    text_enum,
    value::{Date, DateTime, Json, Time, Uuid, Value},
};
pub use serde_json::json;
