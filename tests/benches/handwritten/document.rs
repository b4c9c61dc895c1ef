//! The two renderings of what was found.

use std::collections::HashSet;

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};

use super::rows::{Category, Included, Location, Medium};

/// The media type of JSON:API.
pub const JSON_API: &str = "application/vnd.api+json";

/// How an answer is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Data,
    JsonApi,
}

/// `meta.pagination`.
#[derive(Clone, Serialize)]
pub struct Pages {
    total: i64,
    count: usize,
    per_page: i64,
    current_page: i64,
    total_pages: i64,
}

impl Pages {
    pub fn new(total: i64, count: usize, per_page: i64, current_page: i64) -> Self {
        let total_pages = ((total + per_page - 1) / per_page).max(1);
        Self {
            total,
            count,
            per_page,
            current_page,
            total_pages,
        }
    }

    fn links(&self, query: &str) -> PageLinks {
        let kept: Vec<&str> = query
            .split('&')
            .filter(|pair| !pair.starts_with("page="))
            .collect();
        let kept = kept.join("&");
        let link = |page: i64| format!("/api/categories?{kept}&page={page}");
        let current = self.current_page;
        PageLinks {
            own: link(current),
            first: link(1),
            prev: (current > 1).then(|| link(current - 1)),
            next: (current < self.total_pages).then(|| link(current + 1)),
            last: link(self.total_pages),
        }
    }
}

#[derive(Serialize)]
struct PageLinks {
    #[serde(rename = "self")]
    own: String,
    first: String,
    prev: Option<String>,
    next: Option<String>,
    last: String,
}

#[derive(Serialize)]
struct Meta<'a> {
    pagination: &'a Pages,
}

/// A record of the data rendering.
#[derive(Serialize)]
struct Record<'a> {
    id: i64,
    #[serde(flatten)]
    category: &'a Category,
    #[serde(skip_serializing_if = "Option::is_none")]
    locations: Option<Vec<Row<'a, Location>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<Option<Row<'a, Medium>>>,
}

#[derive(Serialize)]
struct Row<'a, R> {
    id: i64,
    #[serde(flatten)]
    row: &'a R,
}

#[derive(Serialize)]
struct One<'a> {
    data: Record<'a>,
}

#[derive(Serialize)]
struct Many<'a> {
    data: Vec<Record<'a>>,
    meta: Meta<'a>,
    links: PageLinks,
}

impl<'a> Record<'a> {
    fn of(category: &'a Category, included: &'a Included) -> Self {
        let id = category.id;
        let location = |row: &'a Location| Row { id: row.id, row };
        let locations = included.locations.as_ref().map(|all| {
            let own = all.get(&id).map_or(&[][..], Vec::as_slice);
            own.iter().map(location).collect()
        });
        let medium = |row: &'a Medium| Row { id: row.id, row };
        let media = included.media.as_ref().map(|all| all.get(&id).map(medium));
        Self {
            id,
            category,
            locations,
            media,
        }
    }
}

/// A resource object of JSON:API.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(serialize_with = "as_text")]
    id: i64,
    attributes: Attributes<'a>,
    #[serde(skip_serializing_if = "Relationships::is_empty")]
    relationships: Relationships,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<SelfLink>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Attributes<'a> {
    Category(&'a Category),
    Location(&'a Location),
    Medium(&'a Medium),
}

#[derive(Default, Serialize)]
struct Relationships {
    #[serde(skip_serializing_if = "Option::is_none")]
    locations: Option<Linkage<Vec<Identity>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media: Option<Linkage<Option<Identity>>>,
}

impl Relationships {
    fn is_empty(&self) -> bool {
        self.locations.is_none() && self.media.is_none()
    }
}

#[derive(Serialize)]
struct Linkage<T> {
    data: T,
}

#[derive(Serialize)]
struct Identity {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(serialize_with = "as_text")]
    id: i64,
}

#[derive(Serialize)]
struct SelfLink {
    #[serde(rename = "self")]
    own: String,
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
}

const VERSION: Version = Version { version: "1.1" };

#[derive(Serialize)]
struct OneObject<'a> {
    jsonapi: Version,
    data: Object<'a>,
    links: SelfLink,
}

#[derive(Serialize)]
struct ManyObjects<'a> {
    jsonapi: Version,
    data: Vec<Object<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    included: Option<Vec<Object<'a>>>,
    meta: Meta<'a>,
    links: PageLinks,
}

fn as_text<S: Serializer>(id: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

fn link(kind: &str, id: i64) -> SelfLink {
    SelfLink {
        own: format!("/api/{kind}/{id}"),
    }
}

impl<'a> Object<'a> {
    fn of(category: &'a Category, included: &'a Included) -> Self {
        let id = category.id;
        let identity = |kind, id| Identity { kind, id };
        let locations = included.locations.as_ref().map(|all| {
            let own = all.get(&id).map_or(&[][..], Vec::as_slice);
            let data = own
                .iter()
                .map(|location| identity("locations", location.id));
            Linkage {
                data: data.collect(),
            }
        });
        let media = included.media.as_ref().map(|all| {
            let data = all.get(&id).map(|medium| identity("media", medium.id));
            Linkage { data }
        });
        Self {
            kind: "categories",
            id,
            attributes: Attributes::Category(category),
            relationships: Relationships { locations, media },
            links: Some(link("categories", id)),
        }
    }

    fn location(location: &'a Location) -> Self {
        Self {
            kind: "locations",
            id: location.id,
            attributes: Attributes::Location(location),
            relationships: Relationships::default(),
            links: Some(link("locations", location.id)),
        }
    }

    fn medium(medium: &'a Medium) -> Self {
        Self {
            kind: "media",
            id: medium.id,
            attributes: Attributes::Medium(medium),
            relationships: Relationships::default(),
            links: None,
        }
    }
}

/// Each included object once, in the order in which it is met.
fn included_objects<'a>(
    categories: &[Category],
    included: &'a Included,
) -> Option<Vec<Object<'a>>> {
    if included.locations.is_none() && included.media.is_none() {
        return None;
    }
    let mut objects = Vec::new();
    let mut seen = HashSet::new();
    for category in categories {
        let locations = included
            .locations
            .as_ref()
            .and_then(|all| all.get(&category.id));
        for location in locations.into_iter().flatten() {
            if seen.insert(location.id) {
                objects.push(Object::location(location));
            }
        }
        let medium = included
            .media
            .as_ref()
            .and_then(|all| all.get(&category.id));
        objects.extend(medium.map(Object::medium));
    }
    Some(objects)
}

/// The answer with one category.
pub fn one(category: &Category, shown: Shown) -> Response {
    let nothing = Included::default();
    match shown {
        Shown::Data => Json(One {
            data: Record::of(category, &nothing),
        })
        .into_response(),
        Shown::JsonApi => json_api(&OneObject {
            jsonapi: VERSION,
            data: Object::of(category, &nothing),
            links: link("categories", category.id),
        }),
    }
}

/// The answer with a page of categories.
pub fn many(
    categories: &[Category],
    included: &Included,
    (pages, query): (&Pages, &str),
    shown: Shown,
) -> Response {
    let (meta, links) = (Meta { pagination: pages }, pages.links(query));
    let all = categories.iter();
    match shown {
        Shown::Data => Json(Many {
            data: all.map(|category| Record::of(category, included)).collect(),
            meta,
            links,
        })
        .into_response(),
        Shown::JsonApi => json_api(&ManyObjects {
            jsonapi: VERSION,
            data: all.map(|category| Object::of(category, included)).collect(),
            included: included_objects(categories, included),
            meta,
            links,
        }),
    }
}

fn json_api(document: &impl Serialize) -> Response {
    let mut response = Json(document).into_response();
    let media_type = axum::http::HeaderValue::from_static(JSON_API);
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}
