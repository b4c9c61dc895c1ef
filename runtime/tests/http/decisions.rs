//! An extension of a project decides which actions are on.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use formwork::{
    config::Config,
    extension::{Decisions, ServiceState},
    prelude::*,
    testing::Service,
};

use super::kitchen::Kitchen;
use crate::support::Expect;

/// Counts its calls.
#[derive(Clone, Default)]
struct Asked(Arc<AtomicUsize>);

impl Extension for Asked {
    fn name(&self) -> &'static str {
        "asked"
    }

    fn decisions(&self) -> Option<Arc<dyn Decisions>> {
        Some(Arc::new(self.clone()))
    }
}

impl Decisions for Asked {
    fn keep_up<'a>(&'a self, _: &'a Arc<ServiceState>, _: DateTime) -> BoxFuture<'a, Result<()>> {
        self.0.fetch_add(1, Relaxed);
        Box::pin(std::future::ready(Ok(())))
    }

    fn refresh<'a>(&'a self, _: &'a ServiceState) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

#[test]
fn decisions_of_a_project_replace_those_of_the_admin_area() {
    let asked = Asked::default();
    let extensions: Vec<Box<dyn Extension>> = vec![Box::new(Kitchen), Box::new(asked.clone())];
    let service = Service::with_config(Config::default(), extensions);
    service.guest().get("/api/dishes").expect(200);
    assert_eq!(asked.0.load(Relaxed), 1);
}
