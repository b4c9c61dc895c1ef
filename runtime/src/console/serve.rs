//! `serve`.

use std::{io::Write as _, net::SocketAddr, sync::Arc};

use formwork_core::shared::Shared;
use formwork_data::{
    error::{Error, Result},
    migration,
};
use tokio::{net::TcpListener, time::timeout};

use crate::{
    app::{self, App},
    server::{ServerOptions, serve_until, stop_signal},
};

/// Serves until the process is asked to stop. Where migrations are pending it says so, and
/// `/health/ready` answers 503 until `migrate` has run.
pub(super) async fn serve(app: &Arc<App>, addr: Option<&str>) -> Result<()> {
    let addr = addr.unwrap_or(&app.config().server.addr);
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|error| Error::internal(format!("cannot listen on {addr}: {error}")))?;
    let local = listener.local_addr().map_err(|error| {
        Error::internal(format!(
            "cannot read the address of the listener at {addr}: {error}"
        ))
    })?;
    for key in without_effect(app) {
        tracing::warn!(key, "this build of the service ignores this key");
    }
    app.settle().await;
    for doubt in app.registry().doubts() {
        tracing::warn!("{doubt}");
    }
    tell_pending(app).await;
    tracing::info!(address = %local, "serving http://{local}{}", app.config().api.prefix);
    print_links(app, local);
    let options = ServerOptions::from(app.config());
    let patience = options.shutdown_timeout;
    let stop = {
        let app = Arc::clone(app);
        async move {
            stop_signal().await;
            app.stop();
            tracing::info!("stopping: requests in flight finish, new ones are refused");
        }
    };
    let served = serve_until(listener, app.router(), stop, options).await;
    // Changes whose clients hung up have hooks to run still.
    let finished = timeout(patience, app.finished()).await;
    if !(served && finished.is_ok()) {
        let seconds = patience.as_secs();
        tracing::warn!("stopped: some requests did not finish in {seconds} s");
    }
    Ok(())
}

/// Prints the address of each page. An output that is closed must not stop the service.
fn print_links(app: &App, local: SocketAddr) {
    let mut output = std::io::stdout().lock();
    for (name, path) in app::pages(app.config()) {
        let _ = writeln!(output, "  {name:<12}http://{local}{path}");
    }
}

async fn tell_pending(app: &App) {
    match migration::pending(app.db(), app.migrations()).await {
        Ok(pending) if pending.is_empty() => {}
        Ok(pending) => {
            let names = pending
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ");
            tracing::warn!("migrations are pending, run `migrate`: {names}");
        }
        Err(error) => tracing::warn!(%error, "the database does not answer"),
    }
}

/// Keys that are set and have no effect in this build.
fn without_effect(app: &App) -> impl Iterator<Item = &'static str> {
    let config = app.config();
    let lacks_redis = config.setting("redis.url").is_some() && app.part::<Shared>().is_none();
    let redis = lacks_redis.then_some("redis.url: build with the feature `redis`");
    let lacking = app::lacking_keys().filter(|(key, _)| config.setting(key).is_some());
    let lacking = lacking.map(|(_, message)| message);
    redis.into_iter().chain(lacking)
}
