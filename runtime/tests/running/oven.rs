//! Loaves take their time: `GET /api/loaves/<n>` takes n milliseconds, and one of slow flour waits at
//! a gate.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use formwork::{http::route::Route, prelude::*, resource::action::Allow, rules::*};
use serde::Serialize;

use super::gate::Gate;

/// Loaves that were put in, by all services of this program.
pub static STARTED: AtomicUsize = AtomicUsize::new(0);

/// Loaves that came out.
pub static BAKED: AtomicUsize = AtomicUsize::new(0);

/// The time that is counted.
pub const COUNTED: i64 = 5;

/// Bakes; slow flour waits here.
#[derive(Default)]
pub struct Oven(pub Gate);

impl Extension for Oven {
    fn name(&self) -> &'static str {
        "oven"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let loaves = Loaves(self.0.clone());
        vec![resource! { "loaves" "Loaves" "What takes its time" (loaves) ["show" "store"] }]
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::post("/loaves/{id}/slice", Allow::All, slice),
            Route::post("/toast", Allow::All, toast),
            Route::get("/crumbs", Allow::All, crumbs),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE \"loaves\" (\"id\" COUNTED_KEY, \"flour\" TEXT NOT NULL)";
        crate::databases::migration(20260202000000, "create_loaves", sql)
    }
}

/// Slices that were cut.
static SLICES: AtomicUsize = AtomicUsize::new(0);

/// Cuts a slice, and returns how many there are.
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
pub const CRUMBS: usize = 6 * 1024 * 1024;

/// Counts the loaves, and answers at length.
async fn crumbs(ctx: Context) -> Result<Response> {
    ctx.db().rows("SELECT \"id\" FROM \"loaves\"", []).await?;
    Ok(Response::json_bytes(vec![b'1'; CRUMBS]))
}

model! {
    /// Bread.
    Loaf "loaves" {
        key id: i64,
        column flour: String,
    }
}

parts! { Loaf [attribute("flour", &[required(), string()])] }

/// Serves loaves.
pub struct Loaves(Gate);

impl RestController for Loaves {
    parts_of!(Loaf);

    const ACTIONS: &'static [Action] = &[Action::Show, Action::Store];

    async fn show(&self, _ctx: &Context, key: i64) -> Result<Response> {
        let counted = usize::from(key == COUNTED);
        STARTED.fetch_add(counted, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(key.unsigned_abs())).await;
        BAKED.fetch_add(counted, Ordering::SeqCst);
        Response::json(&json!({"data": {"id": key}}))
    }

    async fn before_create(&self, _ctx: &Context, loaf: &mut Loaf) -> Result<()> {
        match loaf.flour.as_str() {
            "slow" => self.0.pass().await,
            "stone" => return Err(Error::internal("the millstone broke")),
            "thunder" => panic!("the oven exploded"),
            _ => {}
        }
        Ok(())
    }
}
