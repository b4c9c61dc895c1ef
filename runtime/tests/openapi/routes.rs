//! Custom routes of an extension, and a resource whose keys are not counted.

use formwork::{http::route::Route, prelude::*, resource::action::Allow, rules::*};
use serde::Serialize;

/// An extension that lends rides.
pub struct Lending;

impl Extension for Lending {
    fn name(&self) -> &'static str {
        "rides"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            resource! { "rides" "Rides" "A ride that somebody lends" (Rides)
            ["index" "store:users" "show:guest" "update:customer"] },
        ]
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::get("/rides/{id}/map", Allow::All, map),
            Route::post("/rides/{id}/lend", Allow::Admin, map)
                .resource("rides")
                .abilities(&["rides:lend"]),
            Route::get("/tours/{day}", Allow::Users, map),
            Route::get("/tours/day", Allow::Users, map),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260302000000,
            "create_rides",
            "CREATE TABLE \"rides\" (\"id\" UUID PRIMARY KEY, \"name\" TEXT NOT NULL, \
                 \"price\" DECIMAL(15, 2) NOT NULL, \"seats\" INTEGER, \"owner_id\" INTEGER, \
                 \"begins\" TIME, \"code\" TEXT, \"extra\" JSON)",
        )
    }
}

async fn map(ctx: Context) -> Result<Response> {
    if ctx.path_value("id") == Some("lost") {
        return Err(Error::conflict("The ride is lost."));
    }
    Response::json(&json!({"map": ctx.path_value("id")}))
}

model! {
    /// A ride.
    Ride "rides" {
        key id: Uuid,
        column name: String,
        column price: Decimal<2>,
        column seats: Option<i32>,
        column owner_id: Option<i64>,
        column begins: Option<Time>,
        #[serde(skip)] column code: Option<String>,
        column extra: Option<Json>,
    }

    const HIDDEN: &'static [&'static str] = &["code"];
}

parts! {
    Ride [
        attribute("name", &[required(), string(), between(2, 20), regex("^[A-Z]")]),
        attribute("price", &[required(), decimal(6, 2), min_decimal("0.5")]),
        attribute("seats", &[nullable(), integer(), one_of(&["2", "4"])]),
        attribute("owner_id", &[nullable(), integer()]),
        attribute("begins", &[nullable(), time()]),
        attribute("code", &[nullable(), string(), size(4), confirmed()]).admin(),
        attribute("extra", &[nullable(), array(), max(2)]),
        attribute("extra.note", &[required(), alpha()]),
        attribute("extra.stops", &[array(), min(1)]),
        attribute("extra.stops.*.at", &[required_without(&["extra.stops.*.near"]), url()]),
        attribute("extra.stops.*.near", &[uuid()]),
    ]

    const FILTER: &'static [&'static str] = &["price", "begins"];
    const OWNER: Option<&'static str> = Some("owner_id");
}

/// Serves rides.
pub struct Rides;

impl RestController for Rides {
    parts_of!(Ride);

    const MAX_PAGE_LIMIT: u32 = 10;
    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["rides:*", "tours.lend"];
}
