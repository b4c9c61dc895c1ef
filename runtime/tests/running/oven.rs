//! Loaves take their time: `GET /api/loaves/<n>` takes n milliseconds, and one of slow flour waits at
//! a gate.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use formwork::{http::route::Route, prelude::*, resource::action::Allow, rules::*};
use serde::Serialize;

use super::gate::Gate;

/// Loaves that were put in, by all services of this program that bake in the second oven.
pub static STARTED: AtomicUsize = AtomicUsize::new(0);

/// Loaves that came out.
pub static BAKED: AtomicUsize = AtomicUsize::new(0);

/// The shortest time that is counted.
pub const COUNTED: i64 = 5;

/// Bakes; slow flour waits here.
#[derive(Default)]
pub struct Oven(pub Gate);

impl Extension for Oven {
    fn name(&self) -> &'static str {
        "oven"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "loaves",
            name: "Loaves",
            description: "What takes its time",
            controller: Box::new(Loaves(self.0.clone())),
            actions: actions!["show", "store"],
        }]
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::post("/loaves/{id}/slice", Allow::All, slice),
            Route::post("/toast", Allow::All, toast),
            Route::get("/crumbs", Allow::All, crumbs),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260202000000,
            "create_loaves",
            "CREATE TABLE \"loaves\" (\"id\" COUNTED_KEY, \"flour\" TEXT NOT NULL)",
        )
    }
}

/// Slices that were cut.
static SLICES: AtomicUsize = AtomicUsize::new(0);

/// Cuts a slice, and says how many there are.
async fn slice(ctx: Context) -> Result<Response> {
    let slices = SLICES.fetch_add(1, Ordering::SeqCst) + 1;
    Response::json(&json!({"loaf": ctx.path_value("id"), "slices": slices}))
}

/// Bytes that are no text.
pub const TOAST: &[u8] = b"\x89PNG\r\n\x1a\n\0";

/// A picture of a slice.
async fn toast(_: Context) -> Result<Response> {
    Ok(Response::json_bytes(TOAST.to_vec()))
}

/// More than the system buffers for a client that does not read.
pub const CRUMBS: usize = 16 * 1024 * 1024;

/// Counts the loaves, and answers at length.
async fn crumbs(ctx: Context) -> Result<Response> {
    let loaves = ctx.db().rows("SELECT \"id\" FROM \"loaves\"", []).await?;
    Response::json(&json!({"loaves": loaves.len(), "crumbs": "x".repeat(CRUMBS)}))
}

/// Bread.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Loaf {
    pub id: i64,
    pub flour: String,
}

impl Model for Loaf {
    type Key = i64;

    const TABLE: &'static str = "loaves";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("flour", &mut self.flour)
    }
}

/// Finds loaves.
pub struct LoafRepository;

impl Repository for LoafRepository {
    type Model = Loaf;
}

/// Validates loaves.
pub struct LoafRequest;

impl ResourceRequest for LoafRequest {
    type Model = Loaf;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("flour", &[required(), string()])];
}

/// Shapes loaves.
pub struct LoafTransformer;

impl Transformer for LoafTransformer {
    type Model = Loaf;

    fn transform<'a>(loaf: &'a Loaded<Loaf>, _ctx: &'a Context) -> impl Serialize + 'a {
        loaf.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Loaf>();
    }
}

/// Serves loaves.
pub struct Loaves(Gate);

impl RestController for Loaves {
    type Model = Loaf;
    type Repository = LoafRepository;
    type Request = LoafRequest;
    type Transformer = LoafTransformer;

    const ACTIONS: &'static [ActionConfig] = &[show(), store()];

    async fn show(&self, _ctx: &Context, key: i64) -> Result<Response> {
        if key == COUNTED {
            STARTED.fetch_add(1, Ordering::SeqCst);
        }
        tokio::time::sleep(Duration::from_millis(key.unsigned_abs())).await;
        if key == COUNTED {
            BAKED.fetch_add(1, Ordering::SeqCst);
        }
        Response::json(&json!({"data": {"id": key}}))
    }

    async fn before_create(&self, _ctx: &Context, loaf: &mut Loaf) -> Result<()> {
        match loaf.flour.as_str() {
            "slow" => {
                self.0.pass().await;
                Ok(())
            }
            "stone" => Err(Error::internal("the millstone broke")),
            "thunder" => panic!("the oven exploded"),
            _ => Ok(()),
        }
    }
}
