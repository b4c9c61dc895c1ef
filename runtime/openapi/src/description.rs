//! The description of a service as it is sent, and kept until other actions are routed.

use std::{io::Write, sync::Arc};

use flate2::{Compression, write::GzEncoder};
use formwork_core::state::ServiceState;
use formwork_data::error::{Error, Result};
use tokio::{sync::Mutex, task::spawn_blocking};

use crate::{builder::Builder, document::Document, effective::Effective};

/// The description as it is sent.
#[derive(Clone)]
pub(crate) struct Description {
    /// As it is.
    pub plain: Arc<[u8]>,
    /// Compressed.
    pub gzip: Arc<[u8]>,
}

impl Description {
    fn of(document: &Document) -> Result<Self> {
        let plain = serde_json::to_vec(document).map_err(Error::internal)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&plain).map_err(Error::internal)?;
        let gzip = gzip.finish().map_err(Error::internal)?;
        Ok(Self {
            plain: plain.into(),
            gzip: gzip.into(),
        })
    }
}

/// The description of the service as it is: made once, and again when other actions are routed. It
/// is made beside the requests: many resources take a while.
#[derive(Default)]
pub(crate) struct Descriptions(Mutex<Option<(Effective, Description)>>);

impl Descriptions {
    /// The description of the routes that are on now.
    ///
    /// # Errors
    ///
    /// 500 where it cannot be written as JSON.
    pub async fn current(&self, app: &Arc<ServiceState>) -> Result<Description> {
        let effective = Effective::of(app);
        let mut last = self.0.lock().await;
        if let Some((of, description)) = &*last
            && *of == effective
        {
            return Ok(description.clone());
        }
        let app = Arc::clone(app);
        let made = spawn_blocking(move || {
            let description = Description::of(&Builder::new(&app, &effective).build()?)?;
            Ok::<_, Error>((effective, description))
        });
        let (effective, description) = made.await.map_err(Error::internal)??;
        *last = Some((effective, description.clone()));
        Ok(description)
    }
}

/// The description for people: one member a line.
///
/// # Errors
///
/// 500 where it cannot be written as JSON.
pub fn pretty(app: &Arc<ServiceState>) -> Result<String> {
    let document = Builder::new(app, &Effective::of(app)).build()?;
    serde_json::to_string_pretty(&document).map_err(Error::internal)
}
