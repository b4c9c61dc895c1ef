//! The parameters that an action accepts.

/// The parameters that an action accepts.
#[derive(Debug, Clone, Copy)]
pub struct QueryRules {
    /// Size of a page: the default, and the largest; none: there are no pages.
    pub(super) page_sizes: Option<(u32, u32)>,
    /// The key of the resource.
    pub(super) resource: Option<&'static str>,
}

impl QueryRules {
    /// That of a list; `page_sizes`: the default, and the largest.
    pub fn page(page_sizes: (u32, u32)) -> Self {
        Self {
            page_sizes: Some(page_sizes),
            resource: None,
        }
    }

    /// That of one record: includes only.
    pub fn record() -> Self {
        Self {
            page_sizes: None,
            resource: None,
        }
    }

    /// The same for the resource of this key, whose attribute `type` has a second name in JSON:API.
    #[must_use]
    pub fn of(self, resource: Option<&'static str>) -> Self {
        Self { resource, ..self }
    }
}
