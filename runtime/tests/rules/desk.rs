//! A resource whose request has an attribute for every rule word.

use formwork::{http::route::Route, prelude::*, rules::*};
use serde::Serialize;

use super::parts::resource;

/// Where forms are filled in.
pub struct Office;

impl Extension for Office {
    fn name(&self) -> &'static str {
        "office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource(
            "forms",
            Forms,
            actions!["index", "show", "store", "update", "destroy"],
        )]
    }

    fn routes(&self) -> Vec<Route> {
        const PLAN: &[Attribute] = &[
            attribute("from", &[required(), time()]),
            attribute("to", &[required(), time(), after("from")]),
        ];
        let plan = async |_: Context| Ok(Response::no_content());
        vec![Route::post("/plan", Allow::All, plan).rules(PLAN)]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE forms (form_id COUNTED_KEY, title TEXT NOT NULL, \
                   code TEXT_KEY UNIQUE, seen TEXT, starts DATE, ends DATE)";
        crate::databases::migration(20260201000000, "create_forms", sql)
    }
}

model! {
    /// A form; `seen` is the input that its hooks were given.
    Form "forms" {
        #[serde(rename = "id")] key form_id: i64,
        column title: String,
        column code: Option<String>,
        column seen: Option<String>,
        column starts: Option<Date>,
        column ends: Option<Date>,
    }
}

// Attributes are called by the rule that they are there for.
parts! {
    Form [
        attribute("title", &[required(), string(), max(32)]),
        attribute("code", &[nullable(), string(), unique()]),
        attribute("starts", &[nullable(), date(), before_or_equal("ends")]),
        attribute("ends", &[nullable(), date(), after("starts")]),
        attribute("nullable", &[nullable(), integer()]),
        attribute("string", &[string()]),
        attribute("integer", &[integer()]),
        attribute("numeric", &[numeric()]),
        attribute("decimal", &[decimal(6, 2)]),
        attribute("boolean", &[boolean()]),
        attribute("array", &[array()]),
        attribute("email", &[email()]),
        attribute("url", &[url()]),
        attribute("uuid", &[uuid()]),
        attribute("date", &[date()]),
        attribute("time", &[time()]),
        attribute("datetime", &[datetime()]),
        attribute("date_format", &[date_format("d/m/Y,Y-m-d\\TH:i")]),
        attribute("after", &[after("2026-01-31")]),
        attribute("after_or_equal", &[after_or_equal("today")]),
        attribute("before", &[before("now")]),
        attribute("before_or_equal", &[before_or_equal("2026-01-31")]),
        attribute("min_text", &[string(), min(3)]),
        attribute("min_number", &[numeric(), min_decimal("0.5")]),
        attribute("min_list", &[array(), min(2)]),
        attribute("max_text", &[string(), max(3)]),
        attribute("max_number", &[integer(), max(3)]),
        attribute("max_list", &[array(), max(2)]),
        attribute("between_text", &[string(), between(2, 4)]),
        attribute(
            "between_number",
            &[numeric(), between_decimal("0.5", "1.5")],
        ),
        attribute("between_list", &[array(), between(1, 2)]),
        attribute("size_text", &[string(), size(3)]),
        attribute("size_number", &[numeric(), size_decimal("1.5")]),
        attribute("size_list", &[array(), size(2)]),
        attribute("in", &[string(), one_of(&["F", "a,b", "say \"x\""])]),
        attribute("in_numbers", &[numeric(), one_of(&["5", "10"])]),
        attribute("in_list", &[array(), one_of(&["mon", "tue"])]),
        attribute("not_in", &[string(), none_of(&["root", "1"])]),
        attribute("alpha", &[alpha()]),
        attribute("alpha_dash", &[alpha_dash()]),
        attribute("regex", &[string(), regex("^(a|b){1,2}, c$")]),
        attribute("exists", &[string(), exists("forms", "title")]),
        attribute("exists_list", &[array(), exists("forms", "form_id")]),
        attribute("ids", &[nullable(), array()]),
        attribute("ids.*", &[integer(), exists("forms", "form_id")]),
        attribute("same", &[string(), same("string")]),
        attribute("password", &[nullable(), string(), min(8), confirmed()]),
        attribute("required_if", &[required_if("in", &["F", "x"]), string()]),
        attribute(
            "required_without",
            &[
                sometimes(),
                required_without(&["string", "numeric"]),
                string(),
            ],
        ),
        attribute("exclude_without", &[exclude_without("string"), integer()]),
        attribute("special", &[nullable(), array()]),
        attribute("special.type", &[required(), one_of(&["F", "P"])]),
        attribute(
            "special.amount",
            &[required_if("special.type", &["F"]), numeric()],
        ),
        attribute("special.until", &[sometimes(), required(), date()]),
        attribute("special.note", &[present(), string()]),
        attribute("lines", &[nullable(), array(), max(3)]),
        attribute("lines.*.name", &[required(), string(), max(4)]),
        attribute("lines.*.again", &[same("lines.*.name")]),
        attribute(
            "lines.*.price",
            &[required_without(&["lines.*.free"]), decimal(6, 2)],
        ),
        attribute(
            "lines.*.note",
            &[exclude_without("lines.*.price"), string()],
        ),
        attribute("legs", &[nullable(), array()]),
        attribute("legs.*.from", &[required(), datetime()]),
        attribute("legs.*.to", &[required(), after_or_equal("legs.*.from")]),
    ]
}

/// Serves forms.
pub struct Forms;

impl RestController for Forms {
    parts_of!(Form);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];

    async fn before_save(&self, ctx: &Context, form: &mut Form) -> Result<()> {
        form.seen = Some(Json::Object(ctx.input().members().clone()).to_string());
        Ok(())
    }
}
