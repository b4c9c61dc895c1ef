//! Answers of successful actions.

use formwork_core::{
    action::Action,
    config::{ApiConfig, SerializerKind},
};

use super::{
    document::{Answer, Media, OrRef},
    operation::{headers, in_both_renderings},
    schema::{Named, Schema},
};

/// The parts of a resource's documents.
pub(super) struct Documents<'a> {
    pub api: &'a ApiConfig,
    pub key: &'static str,
    /// The media types of serializers of the project's own.
    pub own: Vec<&'static str>,
    /// The records that can be included, by the names of their schemas; each of them once.
    pub included: Vec<String>,
}

/// A document in both renderings: its name among the schemas, and its schema.
type NamedSchemas = (&'static str, Schema, Schema);

impl Documents<'_> {
    /// Status and answer of an action that succeeds; its documents go to the schemas.
    pub fn success(&self, action: Action, schemas: &mut Named<Schema>) -> (&'static str, Answer) {
        let mut status = "200";
        let (text, documents, own_headers): (_, Option<NamedSchemas>, &[&str]) = match action {
            Action::Index => ("A page of records.", Some(self.list()), &["ETag"]),
            Action::Create => ("A blank record and its form.", Some(self.blank()), &[]),
            Action::Store => {
                status = "201";
                ("The record.", Some(self.record()), STORED)
            }
            Action::Show => ("The record.", Some(self.record()), &["ETag"]),
            Action::Edit => ("The record and its form.", Some(self.form()), &[]),
            Action::Update => ("The record.", Some(self.record()), &[]),
            Action::Destroy => {
                status = "204";
                ("The record was deleted.", None, &[])
            }
        };
        let content = documents.map(|documents| self.content(documents, schemas));
        let mut answer = Answer {
            description: text.to_owned(),
            headers: headers(self.api),
            content: content.unwrap_or_default(),
        };
        for name in own_headers {
            answer
                .headers
                .insert((*name).into(), OrRef::to("headers", name));
        }
        (status, answer)
    }

    fn content(
        &self,
        (name, data, document): NamedSchemas,
        schemas: &mut Named<Schema>,
    ) -> Named<Media> {
        let name = format!("{}.{name}", self.key);
        let other = format!("{name}.document");
        if self.api.serializer == SerializerKind::Data {
            schemas.insert(name.clone(), data);
        }
        schemas.insert(other.clone(), document);
        let mut content = in_both_renderings(self.api, Schema::to(&name), Schema::to(&other));
        for media_type in &self.own {
            let schema = Schema::any();
            content.insert((*media_type).into(), Media { schema });
        }
        content
    }

    fn data(&self) -> Schema {
        Schema::to(&format!("{}.record", self.key))
    }

    fn object(&self) -> Schema {
        Schema::to(&format!("{}.object", self.key))
    }

    /// A document around primary data, included records, and more members.
    fn document(&self, data: Schema, more: Vec<(&str, Schema)>) -> Schema {
        let objects: Vec<Schema> = self.included.iter().map(|name| Schema::to(name)).collect();
        let included = match objects.is_empty() {
            true => Schema {
                max_items: Some(0),
                ..Schema::list(Schema::any())
            },
            false => Schema::list(Schema::any_of(objects)),
        };
        let mut required = vec!["jsonapi", "data"];
        required.extend(more.iter().map(|(name, _)| *name));
        let members = [
            ("jsonapi", Schema::to("JsonApi")),
            ("data", data),
            ("included", included),
        ];
        Schema::object(members.into_iter().chain(more)).with(required)
    }

    fn list(&self) -> NamedSchemas {
        let meta =
            || Schema::object([("pagination", Schema::to("Pagination"))]).with(["pagination"]);
        let more = || vec![("meta", meta()), ("links", Schema::to("PageLinks"))];
        let members = [("data", Schema::list(self.data()))].into_iter();
        let data = Schema::object(members.chain(more())).with(["data", "meta", "links"]);
        let document = self.document(Schema::list(self.object()), more());
        ("list", data, document)
    }

    fn record(&self) -> NamedSchemas {
        let data = Schema::object([("data", self.data())]).with(["data"]);
        let document = self.document(self.object(), vec![("links", links())]);
        ("one", data, document)
    }

    fn form(&self) -> NamedSchemas {
        let data = [("data", self.data()), ("meta", meta_form())];
        let data = Schema::object(data).with(["data", "meta"]);
        let more = vec![("meta", meta_form()), ("links", links())];
        ("form", data, self.document(self.object(), more))
    }

    /// A record that is not there yet has neither id nor links.
    fn blank(&self) -> NamedSchemas {
        let attributes = Schema::to(&format!("{}.attributes", self.key));
        let blank = Schema::object([("id", Schema::of("null"))]).with(["id"]);
        let data = Schema::object([("data", blank), ("meta", meta_form())]).with(["data", "meta"]);
        let members = [
            ("type", Schema::constant(self.key)),
            ("attributes", attributes),
        ];
        let object = Schema::object(members).with(["type", "attributes"]);
        let more = vec![("meta", meta_form()), ("links", links())];
        ("blank", data, self.document(object, more))
    }
}

/// The headers of an answer to store.
const STORED: &[&str] = &["Location", "Idempotency-Replayed"];

fn meta_form() -> Schema {
    Schema::object([("form", Schema::list(Schema::to("FormField")))]).with(["form"])
}

/// The address of the document, with the query string as the client wrote it.
fn links() -> Schema {
    Schema::object([("self", Schema::of("string"))]).with(["self"])
}
