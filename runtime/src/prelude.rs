//! What poured and hand-written code names: `use formwork::prelude::*;`.

pub use crate::{
    action::{ActionConfig, Allow, create, destroy, edit, index, show, store, update},
    actions,
    auth::{Account, AdminUser, Caller, hash_password},
    context::{ClientInfo, Context},
    controller::{KeyOf, RestController},
    decimal::Decimal,
    default,
    error::{Error, Result, ValidationErrors},
    extension::{Extension, Permission, Seeding},
    filters::{FilterValue, Filters},
    loaded::{Loaded, Related},
    migration::Migration,
    model::{Columns, Model},
    params::{Params, SortKey},
    query::Query,
    relations::{Relations, morph, pivot},
    repository::{LocationScope, Repository, location},
    request::{Attribute, Input, ResourceRequest, attribute},
    resource::{ApiResource, SupportingModel},
    response::Response,
    shape::{Shape, Shaped},
    transformer::{Links, Transformer},
    value::{Date, DateTime, Json, Time, Uuid, Value},
};
pub use serde_json::json;
