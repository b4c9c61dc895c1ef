//! Made-up rows of everything that is registered.

use crate::{params::LEVELS, registry::Registry, source::Samples};

/// Made-up rows by registry index, with rows in their relations as deep as clients may include.
pub(super) fn samples(registry: &Registry) -> Vec<Samples> {
    let level = |deeper: &[Samples]| -> Vec<Samples> {
        let entries = registry.entries();
        let rows = |index: usize| deeper.get(index).cloned();
        entries
            .map(|(_, entry)| entry.source.samples(&rows))
            .collect()
    };
    (0..LEVELS).fold(Vec::new(), |deeper, _| level(&deeper))
}
