//! Rows: one struct a table, read by position, and how they are found.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{FromRow, QueryBuilder, Row, Sqlite};

/// A row of `categories`.
#[derive(Serialize)]
pub struct Category {
    #[serde(skip)]
    pub id: i64,
    name: String,
    description: String,
    parent_id: Option<i64>,
    priority: i32,
    status: bool,
    nest_left: Option<i32>,
    nest_right: Option<i32>,
    permalink_slug: Option<String>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
}

/// Administrators with locations see the categories of those, and categories without a location.
const FIND: &str = "SELECT category_id, name, description, parent_id, priority, status, \
     nest_left, nest_right, permalink_slug, created_at, updated_at FROM categories \
     WHERE category_id = ?1 AND (?2 IS NULL OR NOT EXISTS (SELECT 1 FROM locationables \
     WHERE locationable_type = 'categories' AND locationable_id = category_id \
     AND location_id NOT IN (SELECT value FROM json_each(?2))))";

const PAGE: &str = "SELECT category_id, name, description, parent_id, priority, status, \
     nest_left, nest_right, permalink_slug, created_at, updated_at, \
     (SELECT COUNT(*) FROM categories \
     WHERE status = ?1 AND (?2 IS NULL OR NOT EXISTS (SELECT 1 FROM locationables \
     WHERE locationable_type = 'categories' AND locationable_id = category_id \
     AND location_id NOT IN (SELECT value FROM json_each(?2))))) \
     FROM categories \
     WHERE status = ?1 AND (?2 IS NULL OR NOT EXISTS (SELECT 1 FROM locationables \
     WHERE locationable_type = 'categories' AND locationable_id = category_id \
     AND location_id NOT IN (SELECT value FROM json_each(?2)))) \
     ORDER BY category_id LIMIT ?3 OFFSET ?4";

impl FromRow<'_, SqliteRow> for Category {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let description: Option<String> = row.try_get(2)?;
        Ok(Self {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            description: without_tags(description.unwrap_or_default()),
            parent_id: row.try_get(3)?,
            priority: row.try_get(4)?,
            status: row.try_get(5)?,
            nest_left: row.try_get(6)?,
            nest_right: row.try_get(7)?,
            permalink_slug: row.try_get(8)?,
            created_at: row.try_get(9)?,
            updated_at: row.try_get(10)?,
        })
    }
}

fn without_tags(text: String) -> String {
    if !text.contains('<') {
        return text;
    }
    let mut inside = false;
    let visible = text.chars().filter(|letter| {
        let tag = inside || *letter == '<';
        inside = tag && *letter != '>';
        !tag
    });
    visible.collect()
}

impl Category {
    pub async fn find(
        connection: &mut SqliteConnection,
        id: i64,
        at: &[i64],
    ) -> sqlx::Result<Option<Self>> {
        sqlx::query_as(FIND)
            .bind(id)
            .bind(listed(at))
            .fetch_optional(connection)
            .await
    }

    /// A page in the order of the keys, and how many there are on all pages.
    pub async fn page(
        connection: &mut SqliteConnection,
        enabled: bool,
        (size, offset): (i64, i64),
        at: &[i64],
    ) -> sqlx::Result<(Vec<Self>, i64)> {
        let query = sqlx::query(PAGE).bind(enabled).bind(listed(at));
        let rows = query.bind(size).bind(offset).fetch_all(connection).await?;
        let total = rows.first().map_or(Ok(0), |row| row.try_get(11))?;
        let categories = rows
            .iter()
            .map(Self::from_row)
            .collect::<sqlx::Result<_>>()?;
        Ok((categories, total))
    }
}

/// A list of ids as the one value that `json_each` reads.
fn listed(ids: &[i64]) -> Option<String> {
    let text = || serde_json::to_string(ids).unwrap_or_default();
    (!ids.is_empty()).then(text)
}

/// A row of `locations`.
#[derive(Serialize)]
pub struct Location {
    #[serde(skip)]
    pub id: i64,
    location_name: String,
    location_email: String,
    description: Option<String>,
    location_address_1: Option<String>,
    location_address_2: Option<String>,
    location_city: Option<String>,
    location_state: Option<String>,
    location_postcode: Option<String>,
    location_country_id: Option<i64>,
    location_telephone: Option<String>,
    location_lat: Option<Degrees>,
    location_lng: Option<Degrees>,
    location_radius: Option<i32>,
    location_status: bool,
    permalink_slug: Option<String>,
    is_default: bool,
    is_auto_lat_lng: bool,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
}

const LOCATIONS: &str = "SELECT p.locationable_id, l.location_id, location_name, location_email, \
     description, location_address_1, location_address_2, location_city, location_state, \
     location_postcode, location_country_id, location_telephone, location_lat, location_lng, \
     location_radius, location_status, permalink_slug, is_default, is_auto_lat_lng, created_at, \
     updated_at FROM locations l JOIN locationables p ON p.location_id = l.location_id \
     WHERE p.locationable_type = 'categories' AND p.locationable_id IN (";

impl FromRow<'_, SqliteRow> for Location {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get(1)?,
            location_name: row.try_get(2)?,
            location_email: row.try_get(3)?,
            description: row.try_get(4)?,
            location_address_1: row.try_get(5)?,
            location_address_2: row.try_get(6)?,
            location_city: row.try_get(7)?,
            location_state: row.try_get(8)?,
            location_postcode: row.try_get(9)?,
            location_country_id: row.try_get(10)?,
            location_telephone: row.try_get(11)?,
            location_lat: row.try_get::<Option<i64>, _>(12)?.map(Degrees),
            location_lng: row.try_get::<Option<i64>, _>(13)?.map(Degrees),
            location_radius: row.try_get(14)?,
            location_status: row.try_get(15)?,
            permalink_slug: row.try_get(16)?,
            is_default: row.try_get(17)?,
            is_auto_lat_lng: row.try_get(18)?,
            created_at: row.try_get(19)?,
            updated_at: row.try_get(20)?,
        })
    }
}

/// A decimal with six digits after the point, stored as an integer.
pub struct Degrees(i64);

impl Serialize for Degrees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (sign, digits) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let (whole, rest) = (digits / 1_000_000, digits % 1_000_000);
        serializer.collect_str(&format_args!("{sign}{whole}.{rest:06}"))
    }
}

/// A row of `media_attachments`.
#[derive(Serialize)]
pub struct Medium {
    #[serde(skip)]
    pub id: i64,
    disk: String,
    name: String,
    file_name: String,
    mime_type: String,
    size: i32,
    tag: Option<String>,
    attachment_type: Option<String>,
    attachment_id: Option<i64>,
    is_public: bool,
    custom_properties: Option<String>,
    priority: Option<i32>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
}

const MEDIA: &str = "SELECT id, disk, name, file_name, mime_type, size, tag, attachment_type, \
     attachment_id, is_public, custom_properties, priority, created_at, updated_at \
     FROM media_attachments WHERE attachment_type = 'categories' AND attachment_id IN (";

impl FromRow<'_, SqliteRow> for Medium {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get(0)?,
            disk: row.try_get(1)?,
            name: row.try_get(2)?,
            file_name: row.try_get(3)?,
            mime_type: row.try_get(4)?,
            size: row.try_get(5)?,
            tag: row.try_get(6)?,
            attachment_type: row.try_get(7)?,
            attachment_id: row.try_get(8)?,
            is_public: row.try_get(9)?,
            custom_properties: row.try_get(10)?,
            priority: row.try_get(11)?,
            created_at: row.try_get(12)?,
            updated_at: row.try_get(13)?,
        })
    }
}

/// The includes of categories, by their ids; empty if they were not requested.
#[derive(Default)]
pub struct Included {
    pub locations: Option<HashMap<i64, Vec<Location>>>,
    pub media: Option<HashMap<i64, Medium>>,
}

impl Included {
    pub async fn load_locations(
        &mut self,
        connection: &mut SqliteConnection,
        of: &[i64],
    ) -> sqlx::Result<()> {
        let found = self.locations.insert(HashMap::new());
        if of.is_empty() {
            return Ok(());
        }
        let mut query = with_list(LOCATIONS, of);
        query.push(" ORDER BY l.location_id");
        for row in query.build().fetch_all(connection).await? {
            let location = Location::from_row(&row)?;
            found.entry(row.try_get(0)?).or_default().push(location);
        }
        Ok(())
    }

    /// The first picture of each.
    pub async fn load_media(
        &mut self,
        connection: &mut SqliteConnection,
        of: &[i64],
    ) -> sqlx::Result<()> {
        let found = self.media.insert(HashMap::new());
        if of.is_empty() {
            return Ok(());
        }
        let mut query = with_list(MEDIA, of);
        query.push(" ORDER BY priority, id");
        for medium in query
            .build_query_as::<Medium>()
            .fetch_all(connection)
            .await?
        {
            let category = medium.attachment_id.unwrap_or_default();
            found.entry(category).or_insert(medium);
        }
        Ok(())
    }
}

fn with_list(sql: &str, ids: &[i64]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(sql);
    let mut list = query.separated(", ");
    for id in ids {
        list.push_bind(*id);
    }
    query.push(")");
    query
}
