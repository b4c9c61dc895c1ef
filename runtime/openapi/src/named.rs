//! Named parts of the document.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// Named parts in an order of their own: the same one every time.
#[derive(Debug, Clone)]
pub(crate) struct Named<T>(Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Named<T> {
    /// Adds a part, in the place of an earlier one of this name.
    pub fn put(&mut self, name: impl Into<String>, part: T) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = part,
            None => self.0.push((name, part)),
        }
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        let mut parts = self.0.iter();
        parts.find_map(|(known, part)| (known == name).then_some(part))
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let mut parts = self.0.iter_mut();
        parts.find_map(|(known, part)| (known == name).then_some(part))
    }

    pub fn take(&mut self, name: &str) -> Option<T> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Removes parts.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| wanted(name));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl<T, N: Into<String>> FromIterator<(N, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(parts: I) -> Self {
        let mut named = Self::default();
        for (name, part) in parts {
            named.put(name, part);
        }
        named
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, part) in &self.0 {
            map.serialize_entry(name, part)?;
        }
        map.end()
    }
}
