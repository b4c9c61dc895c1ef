//! The document around records, in either rendering.

use formwork_data::{
    error::{Error, Result},
    model::Model,
};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{
    data::write_attributes,
    graph::{Graph, Level},
    rows::RowsOf,
    write_list, write_record,
};
use crate::{
    action::Action,
    context::Context,
    includes::Includes,
    loaded::Loaded,
    outline::Outline,
    rendering::Rendering,
    response::Response,
    rows::{Body, Rows},
    transformer::Transformer,
};

/// `jsonapi` of a document: which version of the standard it keeps.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Implementation {
    version: &'static str,
}

/// JSON:API 1.1.
pub(super) const VERSION: Implementation = Implementation { version: "1.1" };

/// `links` of a document of one record.
#[derive(Serialize)]
struct SelfLink {
    #[serde(rename = "self")]
    this: String,
}

/// A document on its way: begun with its records, more members may follow.
pub(crate) struct Document<'c> {
    ctx: &'c Context,
    out: Vec<u8>,
}

impl<'c> Document<'c> {
    /// A document of several records.
    ///
    /// # Errors
    /// 500 where the transformer returns no object.
    pub fn list<T: Transformer>(
        ctx: &'c Context,
        records: Vec<Loaded<T::Model>>,
        includes: &Includes,
    ) -> Result<Self> {
        // An estimate that avoids most reallocations.
        let mut document = Self::begin(ctx, 512 * (records.len() + 1));
        if ctx.rendering().is_json_api() {
            document.objects::<T>(records, includes, true)?;
        } else {
            write_list::<T>(&mut document.out, &records, includes, ctx)?;
        }
        Ok(document)
    }

    /// A document of one record.
    ///
    /// # Errors
    /// As [`Document::list`].
    pub fn record<T: Transformer>(
        ctx: &'c Context,
        record: Loaded<T::Model>,
        includes: &Includes,
    ) -> Result<Self> {
        let mut document = Self::begin(ctx, 1024);
        if ctx.rendering().is_json_api() {
            document.objects::<T>(vec![record], includes, false)?;
        } else {
            write_record::<T>(&mut Body::new(&mut document.out), &record, includes, ctx)?;
        }
        Ok(document)
    }

    /// A document of a record that is not there yet: it has neither id nor place.
    ///
    /// # Errors
    /// As [`Document::list`].
    pub fn blank<T: Transformer>(
        ctx: &'c Context,
        record: T::Model,
        includes: &Includes,
    ) -> Result<Self> {
        let mut document = Self::begin(ctx, 1024);
        let record = Loaded::blank(record);
        if ctx.rendering().is_json_api() {
            let rows = RowsOf::<T>::new(vec![record]);
            let graph = Graph::of(&rows, 1, level::<T>(ctx, includes));
            for object in &graph.objects {
                object.write_blank(&mut document.out, ctx)?;
            }
            return Ok(document);
        }
        let outline = Outline {
            fields: &includes.fields,
            relations: &[],
            json_api: None,
            blank: true,
        };
        let mut members = Vec::new();
        write_attributes::<T>(&mut members, &mut Vec::new(), &record, outline, ctx)?;
        let begin: &[u8] = match members.as_slice() {
            b"{}" => b"{\"id\":null",
            _ => b"{\"id\":null,",
        };
        document.out.extend_from_slice(begin);
        document.out.extend_from_slice(&members[1..]);
        Ok(document)
    }

    /// The document with a member more.
    ///
    /// # Errors
    /// 500 where the value cannot be written as JSON.
    pub fn with(mut self, name: &str, value: &impl Serialize) -> Result<Self> {
        self.out.push(b',');
        serde_json::to_writer(&mut self.out, name).map_err(Error::internal)?;
        self.out.push(b':');
        serde_json::to_writer(&mut self.out, value).map_err(Error::internal)?;
        Ok(self)
    }

    /// The document with `links.self`, which JSON:API has around every record.
    ///
    /// # Errors
    /// As [`Document::with`].
    pub fn with_self(self, place: impl FnOnce() -> Option<String>) -> Result<Self> {
        let json_api = self.ctx.rendering().is_json_api();
        match json_api.then(place).flatten() {
            Some(this) => self.with("links", &SelfLink { this }),
            None => Ok(self),
        }
    }

    /// The answer: 200.
    ///
    /// # Errors
    /// The error of a serializer of the project's own.
    pub fn finish(mut self) -> Result<Response> {
        self.out.push(b'}');
        let rendering = self.ctx.rendering();
        let body = match rendering {
            Rendering::Own(media_type) => write_own(self.ctx, media_type, &self.out)?,
            _ => self.out,
        };
        Ok(Response::rendered(rendering, body))
    }

    fn begin(ctx: &'c Context, capacity: usize) -> Self {
        let mut out = Vec::with_capacity(capacity);
        let begin: &[u8] = if ctx.rendering().is_json_api() {
            b"{\"jsonapi\":{\"version\":\"1.1\"},\"data\":"
        } else {
            b"{\"data\":"
        };
        out.extend_from_slice(begin);
        Self { ctx, out }
    }

    /// Primary data, and `included` if the client requested it.
    fn objects<T: Transformer>(
        &mut self,
        records: Vec<Loaded<T::Model>>,
        includes: &Includes,
        many: bool,
    ) -> Result<()> {
        let primary = records.len();
        let count = u32::try_from(primary).map_err(Error::internal)?;
        let rows = RowsOf::<T>::new(records);
        let rows: &dyn Rows = &rows;
        let graph = Graph::of(rows, count, level::<T>(self.ctx, includes));
        let (primary, included) = graph.objects.split_at(primary);
        let brackets: (&[u8], &[u8]) = if many { (b"[", b"]") } else { (b"", b"") };
        self.write_all(primary, brackets)?;
        if includes.asked || includes.shown().next().is_some() {
            self.out.extend_from_slice(b",\"included\":");
            self.write_all(included, (b"[", b"]"))?;
        }
        Ok(())
    }

    fn write_all(
        &mut self,
        objects: &[super::graph::Object<'_>],
        (open, close): (&[u8], &[u8]),
    ) -> Result<()> {
        let mut links = Vec::new();
        self.out.extend_from_slice(open);
        for (at, object) in objects.iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            object.write(&mut self.out, &mut links, self.ctx)?;
        }
        self.out.extend_from_slice(close);
        Ok(())
    }
}

/// The level of primary data: the resource that was asked for.
fn level<'a, T: Transformer>(ctx: &Context, includes: &'a Includes) -> Level<'a> {
    let entry = ctx.resource().and_then(|at| ctx.registry().get(at));
    Level {
        kind: entry.map_or(T::Model::TABLE, |entry| entry.key),
        source: ctx.resource(),
        linked: entry.is_some_and(|entry| entry.answers(ctx.caller(), Action::Show)),
        includes,
    }
}

/// A document of the data rendering.
#[derive(Deserialize)]
struct DataDocument {
    data: Json,
    #[serde(default)]
    meta: Json,
    #[serde(default)]
    links: Json,
}

/// The body in this media type, of a document in the data rendering.
///
/// # Errors
/// The serializer's error.
fn write_own(ctx: &Context, media_type: &str, document: &[u8]) -> Result<Vec<u8>> {
    let serializer = ctx.app().serializer(media_type);
    let serializer = serializer
        .ok_or_else(|| Error::internal(format!("no serializer writes `{media_type}`")))?;
    let DataDocument { data, meta, links } =
        serde_json::from_slice(document).map_err(Error::internal)?;
    match data {
        Json::Array(records) => serializer.list(ctx, &records, &meta, &links),
        record => serializer.record(ctx, &record, &meta),
    }
}
