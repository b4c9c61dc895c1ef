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
        let parcels = Parcels(self.0.clone());
        vec![
            resource! { "parcels" "Parcels" "What is sent" (parcels) ["store" "update" "destroy"] },
        ]
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
        let sql = "CREATE TABLE \"parcels\" (\"id\" COUNTED_KEY, \"word\" TEXT NOT NULL, \
                   \"sender_id\" INTEGER, \"customer_id\" INTEGER);\n\
                   CREATE TABLE \"letters\" (\"id\" COUNTED_KEY, \"parcel_id\" INTEGER, \
                   \"text\" TEXT NOT NULL)";
        crate::databases::migration(20260203000000, "create_parcels", sql)
    }
}

/// Writes a letter about what was uploaded, and waits with it at the gate.
async fn photo(ctx: Context, body: Bytes, gate: Gate) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let tx = ctx.with_db(transaction.db().clone());
    write_letter(&tx, 0, &format!("{} bytes", body.len())).await?;
    gate.pass().await;
    transaction.commit().await?;
    Ok(Response::no_content())
}

model! {
    /// A parcel that is sent.
    Parcel "parcels" {
        key id: i64,
        column word: String,
        column sender_id: Option<i64>,
        column customer_id: Option<i64>,
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("letters", "letters", "parcel_id").include();
        to.belongs_to_one("sender", "admin_users", "sender_id").include();
    }
}

parts! {
    Parcel [
        attribute("word", &[required(), string()]),
        attribute("customer_id", &[nullable(), integer()]),
    ]

    const OWNER: Option<&'static str> = Some("customer_id");
}

model! {
    /// A letter that a hook wrote about a parcel.
    Letter "letters" {
        key id: i64,
        column parcel_id: i64,
        column text: String,
    }
}

async fn write_letter(ctx: &Context, parcel_id: i64, text: &str) -> Result<()> {
    let (id, text) = (0, text.to_owned());
    let mut letter = Letter {
        id,
        parcel_id,
        text,
    };
    letter.insert(ctx).await
}

/// Serves parcels.
pub struct Parcels(Gate);

impl RestController for Parcels {
    parts_of!(Parcel);

    const ACTIONS: &'static [Action] = &[Action::Store, Action::Update, Action::Destroy];

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
        write_letter(ctx, parcel.id, "sent").await
    }

    async fn after_delete(&self, ctx: &Context, parcel: &Parcel) -> Result<()> {
        write_letter(ctx, parcel.id, "refunded").await
    }
}
