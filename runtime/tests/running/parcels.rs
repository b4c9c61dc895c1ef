//! Parcels: what is done before, in and after the commit waits at a gate, as its text says.

use formwork::{
    axum::{body::Bytes, http::Method},
    http::route::Route,
    prelude::*,
    rules::*,
};
use serde::Serialize;

use super::gate::Gate;

/// Sends parcels; the slow ones wait here.
pub struct Post(pub Gate);

impl Extension for Post {
    fn name(&self) -> &'static str {
        "post"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "parcels",
            name: "Parcels",
            description: "What is sent",
            controller: Box::new(Parcels(self.0.clone())),
            actions: actions!["store", "update", "destroy"],
        }]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Letter>("letters")]
    }

    fn routes(&self) -> Vec<Route> {
        let gate = self.0.clone();
        let photo = |ctx: Context, body: Bytes| photo(ctx, body, gate);
        vec![Route::handler(Method::POST, "/photos", Allow::All, photo)]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260203000000,
            "create_parcels",
            "CREATE TABLE \"parcels\" (\"id\" COUNTED_KEY, \"word\" TEXT NOT NULL, \
                 \"sender_id\" INTEGER, \"customer_id\" INTEGER);\n\
                 CREATE TABLE \"letters\" (\"id\" COUNTED_KEY, \"parcel_id\" INTEGER, \
                 \"text\" TEXT NOT NULL)",
        )
    }
}

/// Writes a letter about what was uploaded, and waits with it at the gate.
async fn photo(ctx: Context, body: Bytes, gate: Gate) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    let text = format!("{} bytes", body.len());
    Letter::write(&inside, &Parcel::default(), &text).await?;
    gate.pass().await;
    transaction.commit().await?;
    Ok(Response::no_content())
}

/// A parcel that is sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parcel {
    pub id: i64,
    pub word: String,
    pub sender_id: Option<i64>,
    pub customer_id: Option<i64>,
}

impl Model for Parcel {
    type Key = i64;

    const TABLE: &'static str = "parcels";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("word", &mut self.word)?;
        to.column("sender_id", &mut self.sender_id)?;
        to.column("customer_id", &mut self.customer_id)
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("letters", "letters", "parcel_id").include();
        to.belongs_to_one("sender", "admin_users", "sender_id")
            .include();
    }
}

/// A letter that a hook wrote about a parcel.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Letter {
    pub id: i64,
    pub parcel_id: i64,
    pub text: String,
}

impl Letter {
    async fn write(ctx: &Context, parcel: &Parcel, text: &str) -> Result<()> {
        let mut letter = Self {
            id: 0,
            parcel_id: parcel.id,
            text: text.to_owned(),
        };
        letter.insert(ctx).await
    }
}

impl Model for Letter {
    type Key = i64;

    const TABLE: &'static str = "letters";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("parcel_id", &mut self.parcel_id)?;
        to.column("text", &mut self.text)
    }
}

/// Finds parcels.
pub struct ParcelRepository;

impl Repository for ParcelRepository {
    type Model = Parcel;

    const OWNER: Option<&'static str> = Some("customer_id");
}

/// Validates parcels.
pub struct ParcelRequest;

impl ResourceRequest for ParcelRequest {
    type Model = Parcel;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("word", &[required(), string()]),
        attribute("customer_id", &[nullable(), integer()]),
    ];
}

/// Shapes parcels.
pub struct ParcelTransformer;

impl Transformer for ParcelTransformer {
    type Model = Parcel;

    fn transform<'a>(parcel: &'a Loaded<Parcel>, _ctx: &'a Context) -> impl Serialize + 'a {
        parcel.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Parcel>();
    }
}

/// Serves parcels.
pub struct Parcels(Gate);

impl RestController for Parcels {
    type Model = Parcel;
    type Repository = ParcelRepository;
    type Request = ParcelRequest;
    type Transformer = ParcelTransformer;

    const ACTIONS: &'static [ActionConfig] = &[store(), update(), destroy()];

    async fn before_save(&self, _ctx: &Context, parcel: &mut Parcel) -> Result<()> {
        if parcel.word == "slow before" {
            self.0.pass().await;
        }
        Ok(())
    }

    async fn after_save(&self, ctx: &Context, parcel: &Parcel) -> Result<()> {
        match parcel.word.as_str() {
            "quiet" => return Ok(()),
            "slow after" => self.0.pass().await,
            "greedy" => {
                // Another user holds the only connection for a while.
                let (held, gate) = (ctx.app().db().begin().await?, self.0.clone());
                tokio::spawn(async move {
                    gate.pass().await;
                    drop(held);
                });
                return Ok(());
            }
            _ => {}
        }
        Letter::write(ctx, parcel, "sent").await
    }

    async fn after_delete(&self, ctx: &Context, parcel: &Parcel) -> Result<()> {
        Letter::write(ctx, parcel, "refunded").await
    }
}
