//! Media types of the project's own, beside JSON and JSON:API.

use formwork_data::{error::Result, value::Json};

use crate::{context::Context, state::ServiceState};

/// Writes answers of default actions in a media type of the project's own, such as CSV or HAL: for
/// clients whose `Accept` prefers it. Errors stay in JSON.
///
/// Records are objects as the data rendering has them: included relations are inside, `fields[…]`
/// and `hidden` are applied.
pub trait Serializer: Send + Sync {
    /// The media type: `text/csv`.
    fn media_type(&self) -> &'static str;

    /// The body for a list. `meta` has the pagination, `links` those of its pages.
    ///
    /// # Errors
    ///
    /// The serializer's error: it is the answer of the request.
    fn list(&self, ctx: &Context, records: &[Json], meta: &Json, links: &Json) -> Result<Vec<u8>>;

    /// The body for one record. `meta` has the form for `create` and `edit`, and is null for other
    /// actions.
    ///
    /// # Errors
    ///
    /// The serializer's error: it is the answer of the request.
    fn record(&self, ctx: &Context, record: &Json, meta: &Json) -> Result<Vec<u8>>;
}

/// The serializers that extensions register: a part of the state of a service.
pub(crate) struct Serializers(pub Vec<Box<dyn Serializer>>);

impl ServiceState {
    /// The serializer of this media type.
    pub(crate) fn serializer(&self, media_type: &str) -> Option<&dyn Serializer> {
        let mut serializers = self.part::<Serializers>()?.0.iter();
        let found = serializers.find(|it| it.media_type() == media_type);
        found.map(|serializer| &**serializer)
    }
}
