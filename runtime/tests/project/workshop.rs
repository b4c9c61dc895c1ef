//! A workshop: parts with labels and an assignee, kept in an audit trail, written by hand.

use formwork::{
    axum::http::StatusCode,
    extension::Extension,
    http::{Serializer, route::Route},
    prelude::*,
    resource::RelationChange,
    rules::*,
};

use super::parts::{Plain, resource};

pub struct Workshop;

pub fn service() -> formwork::Service {
    formwork::service(vec![Box::new(Workshop)])
}

impl Extension for Workshop {
    fn name(&self) -> &'static str {
        "workshop"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource(
            "parts",
            Parts,
            actions!["index", "show", "create", "store", "update", "destroy"],
        )]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Label>("labels")]
    }

    fn rule_words(&self) -> Vec<CustomRule> {
        vec![CustomRule::new(
            "workshop.even",
            "The :attribute field must be an even number.",
            async |_: &Context, value: &Json| Ok(value.as_i64().is_some_and(|it| it % 2 == 0)),
        )]
    }

    fn serializers(&self) -> Vec<Box<dyn Serializer>> {
        vec![Box::new(Csv)]
    }

    fn routes(&self) -> Vec<Route> {
        const RULES: &[Attribute] = &[attribute(
            "count",
            &[required(), integer(), custom("workshop.even")],
        )];
        let count = async |ctx: Context| match ctx.input().get("count").and_then(Json::as_i64) {
            Some(402) => Err(declined()),
            _ => Response::json(&json!({"counted": true})),
        };
        vec![Route::post("/counts", Allow::All, count).rules(RULES)]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = include_str!("workshop.sql");
        crate::databases::migration(20260204000000, "create_workshop", sql)
    }
}

fn declined() -> Error {
    let status = StatusCode::PAYMENT_REQUIRED;
    Error::custom(status, "card_declined", "The card was declined.")
}

/// `text/csv`: a line for each record.
struct Csv;

impl Serializer for Csv {
    fn media_type(&self) -> &'static str {
        "text/csv"
    }

    fn list(&self, _: &Context, records: &[Json], meta: &Json, links: &Json) -> Result<Vec<u8>> {
        let line = |it: &Json| format!("{},{}\n", it["id"], it["name"]);
        let lines: String = records.iter().map(line).collect();
        let total = &meta["pagination"]["total"];
        let text = format!("{lines}# {total} {}\n", links["self"]);
        Ok(text.into_bytes())
    }

    fn record(&self, ctx: &Context, record: &Json, _: &Json) -> Result<Vec<u8>> {
        let resource = ctx.resource_key().unwrap_or_default();
        Ok(format!("{resource},{},{}\n", record["id"], record["name"]).into_bytes())
    }
}

model! {
    /// A part.
    Part "parts" {
        key id: i64,
        column name: String,
        column code: Option<String>,
        column price: Decimal<2>,
        #[serde(skip)] column secret: Option<String>,
        column assignee_id: Option<i64>,
        column deleted: bool,
        #[serde(skip)] updated_at updated_at: Option<DateTime>,
    }

    const HIDDEN: &'static [&'static str] = &["secret"];

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("assignee", "admin_users", "assignee_id");
        let labels = pivot("part_labels", "part_id", "label_id");
        to.belongs_to_many("labels", "labels", labels).sync();
    }
}

model! {
    /// A label.
    Label "labels" { key id: i64, column name: String }
}

impl Repository for Part {
    type Model = Self;

    fn extend_query(query: &mut Query<Part>, _: &Context) -> Result<()> {
        query.eq("deleted", false);
        Ok(())
    }
}

impl ResourceRequest for Part {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string(), max(40)]),
        attribute("code", &[nullable(), string(), min(3), custom("code")]),
        attribute("price", &[decimal(8, 2)]),
        attribute("assignee_id", &[nullable(), integer()]),
        attribute("labels", &[nullable(), array()]),
        attribute("labels.*", &[integer(), custom("workshop.even")]),
        attribute("note", &[nullable(), string()]),
    ];

    fn rules(to: &mut CustomRules) {
        to.add(
            "code",
            "The :attribute is not one of the catalogue.",
            Self::is_known,
        );
    }
}

impl Part {
    /// Looks at the database, at the caller and at the rest of the body.
    async fn is_known(ctx: &Context, value: &Json) -> Result<bool> {
        match value.as_str().unwrap_or_default() {
            "GONE" => Err(Error::custom(
                StatusCode::GONE,
                "catalogue_gone",
                "No more.",
            )),
            "FREE" => Ok(ctx.is_admin() && ctx.input().has("name")),
            code => {
                let sql = "SELECT 1 FROM labels WHERE name = ?";
                Ok(!ctx.db().rows(sql, [Value::from(code)]).await?.is_empty())
            }
        }
    }
}

/// Serves parts.
pub struct Parts;

impl Parts {
    /// Links that no relation of the model describes.
    async fn write_note(ctx: &Context, part: &Part) -> Result<()> {
        let Some(note) = ctx.input().text("note") else {
            return Ok(());
        };
        let sql = "INSERT INTO part_notes VALUES (?, ?)";
        let values = [part.id.into(), note.to_owned().into()];
        ctx.db().execute(sql, values).await?;
        ctx.note_relation::<Part>(RelationChange {
            relation: "notes",
            attached: vec![note.to_owned().into()],
            detached: Vec::new(),
        });
        Ok(())
    }

    /// Stores an entry of the audit trail.
    async fn log(ctx: &Context, entry: Json) -> Result<()> {
        let sql = "INSERT INTO audits (entry) VALUES (?)";
        let values = [Value::from(entry.to_string())];
        ctx.db().execute(sql, values).await.map(drop)
    }

    /// Logs the changes of a part.
    async fn audit(ctx: &Context, action: &str, part: &Part) -> Result<()> {
        let entry = json!({
            "action": action,
            "key": part.id,
            "caller": ctx.is_admin(),
            "request": ctx.request_id().len(),
            "columns": ctx.changed_columns(part)?,
            "relations": ctx.changed_relations(),
        });
        Self::log(ctx, entry).await
    }
}

impl RestController for Parts {
    type Model = Part;
    type Repository = Part;
    type Request = Part;
    type Transformer = Plain<Part>;

    async fn update(&self, ctx: &Context, key: i64) -> Result<Response> {
        let response = default::update(self, ctx, key).await?;
        Ok(response.with_status(StatusCode::ACCEPTED))
    }

    async fn destroy(&self, ctx: &Context, key: i64) -> Result<Response> {
        let response = default::destroy(self, ctx, key).await?;
        Ok(response.with_status(StatusCode::RESET_CONTENT))
    }

    async fn before_save(&self, ctx: &Context, part: &mut Part) -> Result<()> {
        let before = ctx.original::<Part>();
        let is_sold = before.is_some_and(|before| before.name == "Sold");
        if is_sold && part.name != "Sold" {
            return Err(Error::validation("name", "A sold part stays sold."));
        }
        if part.name == "Card" {
            return Err(declined());
        }
        assert!(ctx.original::<Label>().is_none(), "another model has none");
        part.secret = Some(part.name.to_lowercase());
        Ok(())
    }

    async fn before_update(&self, ctx: &Context, part: &mut Part) -> Result<()> {
        let before = ctx.original::<Part>().ok_or_else(Error::not_found)?;
        if part.name == "As before" {
            part.name = format!("{} again", before.name);
        }
        Ok(())
    }

    async fn before_delete(&self, ctx: &Context, part: &Part) -> Result<()> {
        assert_eq!(ctx.original::<Part>(), Some(part));
        match part.name.as_str() {
            "Sold" => Err(Error::conflict("A sold part stays.")),
            _ => Ok(()),
        }
    }

    async fn delete_row(&self, ctx: &Context, part: &Part) -> Result<()> {
        if part.name == "Scrap" {
            return default::delete_row(self, ctx, part).await;
        }
        let mut deleted = Part {
            deleted: true,
            ..part.clone()
        };
        deleted.update(ctx).await?;
        Ok(())
    }

    async fn write_relations(&self, ctx: &Context, part: &Part) -> Result<()> {
        default::write_relations(self, ctx, part).await?;
        Self::write_note(ctx, part).await?;
        let action = match ctx.original::<Part>() {
            Some(_) => "update",
            None => "create",
        };
        Self::audit(ctx, action, part).await
    }

    async fn after_save(&self, ctx: &Context, part: &Part) -> Result<()> {
        let changes = ctx.changed_columns(part)?.len() + ctx.changed_relations().len();
        let entry = json!({"action": "saved", "key": part.id, "changes": changes});
        Self::log(ctx, entry).await
    }

    async fn after_delete(&self, ctx: &Context, part: &Part) -> Result<()> {
        Self::audit(ctx, "delete", part).await
    }
}
