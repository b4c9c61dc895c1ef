//! Reference docs of a resource, rendered from the registry: in Markdown, below the written text.

use std::fmt::Write;

use formwork_core::{
    action::{Action, Allow},
    registry::{Entry, Resource},
    request::{Attribute, Rule},
    routing,
    source::Queries,
};
use formwork_data::{
    column::Kind,
    shape::{Shape, ShapeKind},
};

/// A resource, and the actions that are on.
pub(super) struct Reference<'a> {
    pub entry: &'a Entry,
    pub resource: &'a Resource,
    /// Where it answers: `/api/menus`.
    pub path: &'a str,
    /// The enabled actions, and their callers.
    pub actions: Vec<(Action, &'static str)>,
}

impl Reference<'_> {
    /// Endpoints, attributes, includes, and parameters of lists.
    pub fn markdown(&self) -> String {
        let queries = self.entry.source.queries();
        let sections = [
            self.endpoints(),
            self.limits(),
            self.attributes(),
            self.includes(),
            lists(&queries),
            filters(&queries),
        ];
        sections.concat()
    }

    fn endpoints(&self) -> String {
        let rows = self.actions.iter().map(|(action, who)| {
            let methods = routing::methods(*action).iter().map(|it| it.as_str());
            let methods: Vec<&str> = methods.filter(|it| *it != "HEAD").collect();
            let mut paths = routing::paths();
            let tail = paths.find(|(_, actions)| actions.contains(action));
            let tail = tail.map_or("", |(tail, _)| tail);
            let path = code(&format!("{}{tail}", self.path));
            [
                methods.join(", "),
                path,
                (*who).to_owned(),
                answer(*action).to_owned(),
            ]
        });
        table("Endpoints", ["method", "path", "who", "answer"], rows)
    }

    fn limits(&self) -> String {
        let mut text = String::new();
        if self
            .actions
            .iter()
            .any(|(action, _)| *action == Action::Index)
        {
            let (page, max) = self.resource.controller.page_sizes();
            let _ = writeln!(
                text,
                "\nA page has {page} records by default, at most {max}."
            );
        }
        let abilities = self.resource.controller.required_abilities();
        if !abilities.is_empty() {
            let _ = writeln!(
                text,
                "\nA token needs one of these abilities: {}.",
                codes(abilities)
            );
        }
        if let Some(owner) = self.entry.source.owner() {
            let _ = writeln!(
                text,
                "\nCustomers see and change only rows whose `{owner}` is their own."
            );
        }
        text
    }

    /// Shown attributes, and then those that are only written.
    fn attributes(&self) -> String {
        let written = self.resource.controller.attributes();
        let shown = self.entry.source.shape().members();
        let shown = shown.map_or(&[][..], Vec::as_slice);
        let find = |name: &str| written.iter().find(|it| it.name() == name);
        let of_shown = shown
            .iter()
            .map(|(name, shape)| self.attribute(name, Some(shape), find(name)));
        let hidden = written
            .iter()
            .filter(|it| shown.iter().all(|(name, _)| *name != it.name()));
        let of_written = hidden.map(|it| self.attribute(it.name(), None, Some(it)));
        let columns = ["name", "type", "access", "rules", "default"];
        table("Attributes", columns, of_shown.chain(of_written))
    }

    fn attribute(
        &self,
        name: &str,
        shown: Option<&Shape>,
        written: Option<&Attribute>,
    ) -> [String; 5] {
        let owner = self.entry.source.owner();
        let owner = owner.filter(|owner| *owner != self.entry.source.schema().key);
        let access = match (shown, written) {
            (_, Some(it)) if it.is_admin_only() || owner == Some(name) => "administrators write",
            (Some(_), Some(_)) => "read and write",
            (None, Some(_)) => "write only",
            _ => "read only",
        };
        let is_optional = |it: &Attribute| !it.rules(true).any(|rule| *rule == Rule::Required);
        let blank = written.filter(|it| is_optional(it)).map(|_| name);
        let blank = blank.and_then(|name| self.entry.source.blank(name));
        let blank = blank.and_then(|value| serde_json::to_string(&value).ok());
        let default = blank.filter(|text| !matches!(text.as_str(), "null" | "\"\""));
        [
            code(name),
            shown.map(kind).unwrap_or_default(),
            access.to_owned(),
            written.map(rules).unwrap_or_default(),
            default.map(|text| code(&text)).unwrap_or_default(),
        ]
    }

    fn includes(&self) -> String {
        let relations = self.entry.source.relations().iter().map(|it| it.info);
        let rows = relations.filter_map(|info| {
            let allow = info.include?;
            let targets: Vec<&str> = info.targets.iter().map(|target| target.key).collect();
            let many = if info.many { "many" } else { "one" };
            let note = match (info.default, allow) {
                (true, _) => "shown unless excluded",
                (false, Allow::All) => "",
                (false, allow) => callers(allow),
            };
            let leads_to = format!("{many} {}", codes(&targets));
            Some([code(info.name), leads_to, note.to_owned()])
        });
        table("Includes", ["name", "leads to", "note"], rows)
    }
}

/// A section with a table; empty where there are no rows.
fn table<const N: usize>(
    title: &str,
    columns: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rows: String = rows
        .map(|cells| line(&cells.map(|cell| cell.replace('|', "\\|"))))
        .collect();
    if rows.is_empty() {
        return rows;
    }
    let head = line(&columns.map(str::to_owned));
    let rule = line(&columns.map(|_| "---".to_owned()));
    format!("\n## {title}\n\n{head}{rule}{rows}")
}

/// The answer of an action where it succeeds.
const fn answer(action: Action) -> &'static str {
    match action {
        Action::Index => "200, a page of records",
        Action::Create => "200, a blank record and its form",
        Action::Store => "201, the record",
        Action::Show | Action::Update => "200, the record",
        Action::Edit => "200, the record and its form",
        Action::Destroy => "204",
    }
}

fn callers(allow: Allow) -> &'static str {
    match allow {
        Allow::All => "for everyone",
        Allow::Guest => "for requests without a token",
        Allow::Users => "for every token",
        Allow::Customer => "for customers",
        Allow::Admin => "for administrators",
    }
}

fn rules(of: &Attribute) -> String {
    let words = |storing| -> Vec<String> { of.rules(storing).map(ToString::to_string).collect() };
    let (store, update) = (words(true), words(false));
    let both = store.iter().filter(|rule| update.contains(rule)).cloned();
    let only = |these: &[String], others: &[String]| -> Vec<String> {
        let own = these.iter().filter(|rule| !others.contains(rule));
        own.cloned().collect()
    };
    let parts = [
        ("", both.collect()),
        ("on store: ", only(&store, &update)),
        ("on update: ", only(&update, &store)),
    ];
    let said = parts.iter().filter(|(_, rules)| !rules.is_empty());
    let said: Vec<String> = said
        .map(|(when, rules)| format!("{when}{}", code(&rules.join("|"))))
        .collect();
    said.join("; ")
}

fn kind(shape: &Shape) -> String {
    let kind = match &shape.kind {
        ShapeKind::Any => return "any".to_owned(),
        ShapeKind::Scalar(kind) => scalar(*kind),
        ShapeKind::Links => "links".to_owned(),
        ShapeKind::List(_) => "list".to_owned(),
        ShapeKind::Object(_) | ShapeKind::Map(_) => "object".to_owned(),
    };
    if shape.nullable {
        format!("{kind}, nullable")
    } else {
        kind
    }
}

fn scalar(kind: Kind) -> String {
    let word = match kind {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::BigInt => "bigint",
        Kind::Float => "float",
        Kind::Decimal(scale) => return format!("decimal, {scale} digits after the point"),
        Kind::Boolean => "boolean",
        Kind::Date => "date",
        Kind::Time => "time",
        Kind::DateTime => "datetime",
        Kind::Json => "json",
        Kind::Uuid => "uuid",
    };
    word.to_owned()
}

fn lists(queries: &Queries) -> String {
    let lists = [
        ("sort", queries.sort),
        ("filter", queries.filter),
        ("search", queries.search),
    ];
    let listed = lists.iter().filter(|(_, columns)| !columns.is_empty());
    let lines: String = listed
        .map(|(name, columns)| format!("* {} by {}\n", code(name), codes(columns)))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\n## Finding records\n\n{lines}")
}

fn filters(queries: &Queries) -> String {
    let rows = queries.named.iter().map(|filter| {
        let meaning = filter.column.map_or_else(
            || "a filter of the resource's own".to_owned(),
            |column| format!("{} is one of these values", code(column)),
        );
        let default = filter.default.map(code).unwrap_or_default();
        [code(filter.name), meaning, default]
    });
    table("Named filters", ["name", "meaning", "unless sent"], rows)
}

/// Code whose delimiter does not occur in its text.
fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

fn codes(words: &[&str]) -> String {
    let codes: Vec<String> = words.iter().map(|word| code(word)).collect();
    codes.join(", ")
}
