//! How the rules of a crate are written down.

/// Layers from the inside out. A module may use its own layer and those of the rows before; layers
/// of one row do not know each other. A layer has a name, and its modules with spaces between.
pub type Levels = &'static [&'static [(&'static str, &'static str)]];

/// A use that is a fault, though the layers allow it.
pub struct Never {
    /// A module, or a layer: `layer data`.
    pub from: &'static str,
    /// A module, or a path of another crate.
    pub to: &'static str,
    /// Why it is a fault.
    pub reason: &'static str,
}

/// Paths of other crates that are left to some modules.
pub struct Only {
    /// The paths, or what begins them.
    pub paths: &'static [&'static str],
    /// The modules.
    pub users: &'static [&'static str],
    /// Why others may not use them.
    pub reason: &'static str,
}

/// The rules of a crate.
pub struct Rules {
    /// The name of the crate, without the prefix `formwork_`.
    pub name: &'static str,
    /// The folder of its sources in the checkout.
    pub source: &'static str,
    /// Its layers.
    pub levels: Levels,
    /// Files that may use each other in a circle: those of one row, and no others.
    pub kernels: &'static [&'static [&'static str]],
    /// Uses that are faults.
    pub never: &'static [Never],
    /// Uses that are left to some modules.
    pub only: &'static [Only],
}

impl Rules {
    /// The level of a module and the name of its layer.
    pub fn place(&self, module: &str) -> Option<(usize, &'static str)> {
        let mut places = self.places();
        let (level, layer, _) = places.find(|(_, _, name)| *name == module)?;
        Some((level, layer))
    }

    /// The modules that have a place.
    pub fn modules(&self) -> impl Iterator<Item = &'static str> {
        self.places().map(|(_, _, module)| module)
    }

    /// Level, layer and name of every module.
    fn places(&self) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
        let layers = |(level, layers): (usize, &'static &'static [_])| {
            let modules = |(layer, modules): &'static (&'static str, &'static str)| {
                modules.split_whitespace().map(|module| (*layer, module))
            };
            let modules = layers.iter().flat_map(modules);
            modules.map(move |(layer, module)| (level, layer, module))
        };
        self.levels.iter().enumerate().flat_map(layers)
    }
}
