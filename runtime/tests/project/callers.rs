//! Callers that the project tells by itself, beside the token table.

use formwork::{
    auth::{AccountKind, Authenticate, Identity, ProxyUser},
    axum::http::request::Parts,
    http::route::Route,
    prelude::*,
};

use super::{
    shop::{Journal, Things, plain, service},
    start,
};

/// `Authorization: Partner <e-mail address of a customer>`.
struct Partner;

struct Organisation(String);

impl Authenticate for Partner {
    async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
        let value = head.headers.get("authorization");
        let value = value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let Some(email) = value.strip_prefix("Partner ") else {
            return Ok(None);
        };
        let auth = ctx.app().auth();
        let kind = match email.starts_with("staff") {
            true => AccountKind::Admin,
            false => AccountKind::Customer,
        };
        let id = auth.account_by_email(ctx.db(), kind, email).await?;
        let id = id.ok_or_else(|| Error::unauthenticated("No partner has this address."))?;
        let account = auth.account(ctx.db(), kind, id).await?;
        let organisation = Organisation(email.split('@').next_back().unwrap_or("").to_owned());
        Ok(account.map(|account| Identity::new(account).with_claims(organisation)))
    }
}

fn routes() -> Vec<Route> {
    let whose = async |ctx: Context| {
        let organisation = ctx.claims::<Organisation>().map(|it| it.0.clone());
        Response::json(&json!([ctx.customer_id(), organisation, ctx.locations()]))
    };
    vec![Route::get("/whose", Allow::Users, whose)]
}

#[test]
fn an_authenticator_names_caller_and_claims_and_service_tokens_stay_valid() {
    let shop = service(routes)
        .authenticate(Partner)
        .state(Journal::default());
    let service = start(shop);
    let id = service.account(AccountKind::Customer, "bob@partner.example");
    let bob = service
        .guest()
        .header("Authorization", "Partner bob@partner.example");
    let told = bob.get("/api/whose");
    assert_eq!(told.json, json!([id, "partner.example", []]), "{told}");
    let stored = bob.post("/api/things", json!({"name": "cake"}));
    assert_eq!(stored.json["data"]["customer_id"], id, "{stored}");
    assert_eq!(
        bob.get("/api/things").status,
        403,
        "administrators alone list"
    );
    assert_eq!(bob.get("/api/token/user").json["user"]["id"], id);
    assert_eq!(
        bob.delete("/api/token").status,
        409,
        "not a token of this service"
    );
    let own = service.customer().get("/api/whose");
    assert_eq!(own.json, json!([service.customer_id(), null, []]), "{own}");
    assert_eq!(service.guest().get("/api/whose").status, 401);
}

#[test]
fn locations_of_an_administrator_hold() {
    let service = start(service(routes).authenticate(Partner));
    let id = service.account(AccountKind::Admin, "staff@partner.example");
    let assigned = formwork::auth::assign_locations(service.app().db(), id, &[3, 4]);
    service.block_on(assigned).expect("assigned");
    let staff = service
        .guest()
        .header("Authorization", "Partner staff@partner.example");
    let told = staff.get("/api/whose");
    assert_eq!(
        told.json,
        json!([null, "partner.example", [3, 4]]),
        "{told}"
    );
}

#[test]
fn refused_credentials_are_401_on_every_route() {
    let service = start(service(routes).authenticate(Partner));
    let nobody = service
        .guest()
        .header("Authorization", "Partner nobody@example.com");
    for path in [
        "/api/whose",
        "/api/things",
        "/api/nowhere",
        "/api/token/user",
    ] {
        let refused = nobody.get(path);
        assert_eq!(refused.status, 401, "{refused}");
        assert_eq!(refused.json["message"], "No partner has this address.");
    }
}

#[test]
fn a_trusted_proxy_names_the_caller() {
    let proxied = |yaml: &str| {
        let shop = service(routes).authenticate(ProxyUser::new("x-forwarded-email"));
        formwork::testing::Service::setup(shop)
            .config(super::config(yaml))
            .start()
    };
    let service = proxied("api: { trusted_proxies: [127.0.0.1] }");
    let id = service.account(AccountKind::Customer, "bob@example.com");
    let named = |service: &formwork::testing::Service, email: &str| {
        service
            .guest()
            .header("X-Forwarded-Email", email)
            .get("/api/whose")
    };
    let told = named(&service, "bob@example.com");
    assert_eq!(told.json, json!([id, null, []]), "{told}");
    for unknown in ["eva@example.com", ""] {
        let refused = named(&service, unknown);
        assert_eq!(refused.status, 401, "{refused}");
    }
    assert_eq!(service.guest().get("/api/whose").status, 401);
    let direct = proxied("");
    direct.account(AccountKind::Customer, "bob@example.com");
    let refused = named(&direct, "bob@example.com");
    assert_eq!(refused.status, 401, "{refused}");
    assert!(refused.body.contains("trusted proxies"), "{refused}");
}

#[test]
fn an_authenticator_is_built_from_the_state_and_is_optional() {
    struct Partners(bool);
    for (are_known, status) in [(true, 200), (false, 401)] {
        let shop = service(routes)
            .state(Partners(are_known))
            .authenticate_from(|partners: &Partners| Ok(partners.0.then_some(Partner)));
        let service = start(shop);
        service.account(AccountKind::Customer, "bob@partner.example");
        let bob = service
            .guest()
            .header("Authorization", "Partner bob@partner.example");
        assert_eq!(bob.get("/api/whose").status, status);
        assert_eq!(service.customer().get("/api/whose").status, 200);
    }
}

#[test]
fn a_route_acts_for_another_caller() {
    fn routes() -> Vec<Route> {
        let order = async |ctx: Context| {
            let key = ctx.path_key("customer")?;
            let auth = ctx.app().auth();
            let customer = auth.account(ctx.db(), AccountKind::Customer, key).await?;
            let customer = customer.ok_or_else(|| Error::record_not_found(key))?;
            default::store(&Things, &ctx.with_caller(customer)).await
        };
        vec![Route::post("/orders/{customer}", Allow::All, order)]
    }
    let service = start(service(routes));
    let id = service.account(AccountKind::Customer, "bob@example.com");
    let stored = service
        .guest()
        .post(&format!("/api/orders/{id}"), json!({"name": "cake"}));
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["customer_id"], id, "{stored}");
}

#[test]
fn an_update_outside_of_requests_validates_only_the_given_attributes() {
    let service = start(plain());
    let stored = service.admin().post("/api/things", json!({"name": "cake"}));
    let id = stored.json["data"]["id"].as_i64().expect("a key");
    let update = |body: formwork::data::value::Json| {
        let members = body.as_object().expect("an object").clone();
        let ctx = service.context().with_input(Input::new(members));
        service.block_on(async { default::update(&Things, &ctx, id).await.map(drop) })
    };
    update(json!({"note": "sweet"})).expect("an update");
    let shown = service.admin().get(&format!("/api/things/{id}"));
    assert_eq!(shown.json["data"]["note"], "sweet", "{shown}");
    assert_eq!(shown.json["data"]["name"], "cake", "{shown}");
    assert!(update(json!({"name": ""})).is_err());
}
