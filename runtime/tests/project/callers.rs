//! Callers that the project tells by itself, beside the token table.

use formwork::{
    auth::{AccountKind, Authenticate, Identity, ProxyUser},
    axum::http::request::Parts,
    http::route::Route,
    prelude::*,
    testing::{Client, Service},
};

use super::{
    create,
    shop::{Journal, Things, plain, service},
    start, start_with,
};

/// `Authorization: Partner <e-mail address of a customer>`.
struct Partner;

struct Organisation(String);

impl Authenticate for Partner {
    async fn authenticate(&self, ctx: &Context, head: &Parts) -> Result<Option<Identity>> {
        let value = head
            .headers
            .get("authorization")
            .map(|value| value.to_str());
        let Some(email) = value.and_then(|value| value.ok()?.strip_prefix("Partner ")) else {
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

fn partner<'s>(service: &'s Service, email: &str) -> Client<'s> {
    let client = service.guest();
    client.header("Authorization", &format!("Partner {email}"))
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
    let shop = service(routes).authenticate(Partner);
    let service = start(shop.state(Journal::default()));
    let id = service.account(AccountKind::Customer, "bob@partner.example");
    let bob = partner(&service, "bob@partner.example");
    let told = bob.get("/api/whose");
    assert_eq!(told.json, json!([id, "partner.example", []]), "{told}");
    let stored = create(&bob, "/api/things", json!({"name": "cake"}));
    assert_eq!(stored.json["data"]["customer_id"], id, "{stored}");
    let list = bob.get("/api/things");
    assert_eq!(list.status, 403, "administrators alone list: {list}");
    assert_eq!(bob.get("/api/token/user").json["user"]["id"], id);
    let revoked = bob.delete("/api/token");
    assert_eq!(
        revoked.status, 409,
        "not a token of this service: {revoked}"
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
    let staff = partner(&service, "staff@partner.example");
    let told = staff.get("/api/whose");
    let expected = json!([null, "partner.example", [3, 4]]);
    assert_eq!(told.json, expected, "{told}");
}

#[test]
fn refused_credentials_are_401_on_every_route() {
    let service = start(service(routes).authenticate(Partner));
    let nobody = partner(&service, "nobody@example.com");
    for path in "/api/whose /api/things /api/nowhere /api/token/user".split(' ') {
        let refused = nobody.get(path);
        assert_eq!(refused.status, 401, "{refused}");
        assert_eq!(refused.json["message"], "No partner has this address.");
    }
}

#[test]
fn a_trusted_proxy_names_the_caller() {
    let proxied = |yaml: &str| {
        let shop = service(routes).authenticate(ProxyUser::new("x-forwarded-email"));
        start_with(yaml, shop)
    };
    let service = proxied("api: { trusted_proxies: [127.0.0.1] }");
    let id = service.account(AccountKind::Customer, "bob@example.com");
    let named = |service: &Service, email: &str| {
        let client = service.guest().header("X-Forwarded-Email", email);
        client.get("/api/whose")
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
        let bob = partner(&service, "bob@partner.example");
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
    let path = format!("/api/orders/{id}");
    let stored = create(&service.guest(), &path, json!({"name": "cake"}));
    assert_eq!(stored.json["data"]["customer_id"], id, "{stored}");
}

#[test]
fn an_update_outside_of_requests_validates_only_the_given_attributes() {
    let service = start(plain());
    let stored = create(&service.admin(), "/api/things", json!({"name": "cake"}));
    let id = stored.json["data"]["id"].as_i64().expect("a key");
    let update = |body: Json| {
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
