//! Administrators, as records that relations may name.

use formwork_data::shape::Shape;
use serde::Serialize;

use crate::{
    auth::{self, AdminUser},
    context::Context,
    extension::Extension,
    loaded::Loaded,
    loader,
    repository::Unscoped,
    resource::SupportingModel,
    transformer::Transformer,
};

/// Registers administrators as the model `admin_users`, in every service.
pub struct Accounts;

impl Extension for Accounts {
    fn name(&self) -> &'static str {
        auth::EXTENSION
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel {
            key: AdminUser::REGISTERED_AS,
            source: loader::of_resource::<Unscoped<AdminUser>, Staff>(),
        }]
    }
}

/// Shows administrators where other records include them: login, address and telephone number only
/// to administrators.
struct Staff;

#[derive(Serialize)]
#[serde(untagged)]
enum ShownAdmin<'a> {
    Whole(&'a AdminUser),
    Named { id: i64, name: &'a str },
}

impl Transformer for Staff {
    type Model = AdminUser;

    fn transform<'a>(user: &'a Loaded<AdminUser>, ctx: &'a Context) -> impl Serialize + 'a {
        if ctx.is_admin() {
            ShownAdmin::Whole(user.record())
        } else {
            ShownAdmin::Named {
                id: user.user_id,
                name: &user.name,
            }
        }
    }

    fn shape(to: &mut Shape) {
        to.flatten::<AdminUser>();
    }
}
