//! Routes of an extension's own, and a resource whose keys are not counted.

use formwork::{http::route::Route, prelude::*, resource::action::Allow, rules::*};
use serde::Serialize;

/// Lends rides.
pub struct Rides;

impl Extension for Rides {
    fn name(&self) -> &'static str {
        "rides"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "rides",
            name: "Rides",
            description: "A ride that somebody lends",
            controller: Box::new(RideController),
            actions: actions!["index", "store:users", "show:guest", "update:customer"],
        }]
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

/// A ride.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ride {
    pub id: Uuid,
    pub name: String,
    pub price: Decimal<2>,
    pub seats: Option<i32>,
    pub owner_id: Option<i64>,
    pub begins: Option<Time>,
    #[serde(skip)]
    pub code: Option<String>,
    pub extra: Option<Json>,
}

impl Model for Ride {
    type Key = Uuid;

    const TABLE: &'static str = "rides";
    const KEY: &'static str = "id";
    const HIDDEN: &'static [&'static str] = &["code"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)?;
        to.column("price", &mut self.price)?;
        to.column("seats", &mut self.seats)?;
        to.column("owner_id", &mut self.owner_id)?;
        to.column("begins", &mut self.begins)?;
        to.column("code", &mut self.code)?;
        to.column("extra", &mut self.extra)
    }
}

/// Finds rides.
pub struct RideRepository;

impl Repository for RideRepository {
    type Model = Ride;

    const FILTER: &'static [&'static str] = &["price", "begins"];
    const OWNER: Option<&'static str> = Some("owner_id");
}

/// Validates rides.
pub struct RideRequest;

impl ResourceRequest for RideRequest {
    type Model = Ride;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute(
            "name",
            &[required(), string(), between(2, 20), regex("^[A-Z]")],
        ),
        attribute("price", &[required(), decimal(6, 2), min_decimal("0.5")]),
        attribute("seats", &[nullable(), integer(), one_of(&["2", "4"])]),
        attribute("owner_id", &[nullable(), integer()]),
        attribute("begins", &[nullable(), time()]),
        attribute("code", &[nullable(), string(), size(4), confirmed()]).admin(),
        attribute("extra", &[nullable(), array(), max(2)]),
        attribute("extra.note", &[required(), alpha()]),
        attribute("extra.stops", &[array(), min(1)]),
        attribute(
            "extra.stops.*.at",
            &[required_without(&["extra.stops.*.near"]), url()],
        ),
        attribute("extra.stops.*.near", &[uuid()]),
    ];
}

/// Shapes rides.
pub struct RideTransformer;

impl Transformer for RideTransformer {
    type Model = Ride;

    fn transform<'a>(ride: &'a Loaded<Ride>, _ctx: &'a Context) -> impl Serialize + 'a {
        ride.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Ride>();
    }
}

/// Serves rides.
pub struct RideController;

impl RestController for RideController {
    type Model = Ride;
    type Repository = RideRepository;
    type Request = RideRequest;
    type Transformer = RideTransformer;

    const ACTIONS: &'static [ActionConfig] = &[
        index().max_page_limit(10),
        store(),
        show(),
        update(),
        destroy(),
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["rides:*", "tours.lend"];
}
