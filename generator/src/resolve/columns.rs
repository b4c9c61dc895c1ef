//! Lists of columns in a manifest, held against the columns there are.

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::manifest::vocabulary::RelationWord;
use crate::name;
use crate::project::{Access, ColumnType, Model};

use super::draft::{AttributeDraft, ModelDraft, RelationDraft, Visibility};
use super::report::{Report, Word};

/// The columns of one model: those of `belongs_to` included.
#[derive(Debug)]
pub struct ModelColumns<'a> {
    report: Report<'a>,
    known: BTreeMap<String, (Visibility, Option<ColumnType>)>,
    unread: BTreeSet<String>,
    key: String,
}

/// The names of a model that the rest of its manifest may use.
#[derive(Debug, Clone, Copy)]
pub struct ModelNames<'a> {
    /// Columns.
    pub columns: &'a ModelColumns<'a>,
    /// Relations.
    pub relations: &'a [RelationDraft],
    /// The key's column.
    pub key: &'a str,
}

/// Columns that are not under `attributes`: the key and the timestamps.
pub fn given(model: &Model) -> impl Iterator<Item = &str> {
    let stamps = ["created_at", "updated_at"].into_iter();
    let stamps = stamps.filter(|_| model.timestamps);
    stamps.chain([model.key.name.as_str()])
}

/// The names that two columns may not share: the field in Rust, and the name in lower case, because
/// databases ignore case.
pub fn spellings(name: &str) -> [String; 2] {
    let field = name::field(name);
    [format!("field {field}"), name.to_lowercase()]
}

/// Reports two columns whose Rust fields would be the same, or whose names are one to a database.
pub fn refuse_collisions(draft: &ModelDraft, report: Report<'_>) {
    let mut known: BTreeMap<String, (&str, Option<Span>)> = BTreeMap::new();
    for name in given(&draft.model) {
        known.extend(spellings(name).map(|one| (one, (name, None))));
    }
    for column in &draft.attributes {
        let (name, span) = (column.attribute.name.as_str(), column.span);
        let earlier = spellings(name).map(|one| known.insert(one, (name, Some(span))));
        let mut earlier = earlier.into_iter().flatten();
        let Some((other, place)) = earlier.find(|(other, _)| *other != name) else {
            continue;
        };
        let mut error = report.error(Code::NameCollision, span, alike(name, other));
        if let Some(place) = place {
            error.related(report.path, place, "the other one");
        }
        error.help("give one of them a name that differs in more than case");
    }
}

/// A column of the model that conflicts with a further one of this name.
pub fn taken<'m>(model: &'m Model, name: &str) -> Option<&'m str> {
    let attributes = model.attributes.iter().map(|own| own.name.as_str());
    let own = spellings(name);
    attributes.chain(given(model)).find(|other| {
        let others = spellings(other);
        own.iter().any(|one| others.contains(one))
    })
}

/// The message about two such columns.
pub fn alike(name: &str, other: &str) -> String {
    let field = name::field(name);
    if name::field(other) == field {
        return format!("`{name}` and `{other}` would be one field `{field}` in Rust");
    }
    format!("`{name}` and `{other}` would be one column: databases ignore case")
}

impl<'a> ModelColumns<'a> {
    /// Returns the columns of a model as written.
    pub fn new(draft: &ModelDraft, report: Report<'a>) -> Self {
        let mut known = BTreeMap::new();
        for relation in &draft.relations {
            if relation.kind == RelationWord::BelongsTo {
                known.insert(relation.own_column(), (Visibility::Visible, None));
            }
        }
        for AttributeDraft { attribute, .. } in &draft.attributes {
            let visibility = match attribute.access {
                Access::WriteOnly | Access::Hidden => Visibility::Hidden,
                _ => Visibility::Visible,
            };
            let kind = Some(attribute.kind.clone());
            known.insert(attribute.name.clone(), (visibility, kind));
        }
        let key = &draft.model.key;
        for name in given(&draft.model) {
            let is_key = name == key.name;
            let kind = if is_key {
                &key.kind
            } else {
                &ColumnType::DateTime
            };
            known.insert(name.to_owned(), (Visibility::Visible, Some(kind.clone())));
        }
        Self {
            report,
            known,
            unread: draft.unread.clone(),
            key: key.name.clone(),
        }
    }

    /// Whether there is such a column, or one that could not be read.
    pub fn has(&self, name: &str) -> bool {
        self.known.contains_key(name) || self.unread.contains(name)
    }

    /// The type of a column, where it is known by now.
    pub fn kind(&self, name: &str) -> Option<&ColumnType> {
        self.known.get(name).and_then(|(_, kind)| kind.as_ref())
    }

    /// Names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// Whether the column may be shown.
    pub fn is_visible(&self, name: &str) -> bool {
        self.known
            .get(name)
            .is_some_and(|(visibility, _)| *visibility == Visibility::Visible)
    }

    /// Reports a column that does not exist.
    pub fn check(&self, word: &Word, label: &str) -> bool {
        let name = &word.text;
        if self.has(name) {
            return true;
        }
        let message = format!("{label} names the attribute `{name}`, which does not exist");
        let help = match nearest(name, self.names()) {
            _ if name == "id" => format!("the key is `{}`", self.key),
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the columns are {}", self.list()),
        };
        let report = self.report;
        report.reject(Code::UnknownColumn, word.span, message, help);
        false
    }

    /// Reports a column that does not exist, or that is never sent to clients.
    pub fn check_visible(&self, word: &Word, label: &str) -> bool {
        if !self.check(word, label) {
            return false;
        }
        let name = &word.text;
        let hidden = matches!(self.known.get(name), Some((Visibility::Hidden, _)));
        if hidden {
            let message = format!("{label} names `{name}`, which is never sent to clients");
            let help = "leave it out: queries would reveal hidden and write_only attributes";
            let report = self.report;
            report.reject(Code::HiddenColumn, word.span, message, help);
        }
        !hidden
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        if names.len() <= 12 {
            return crate::suggestion::quoted(&names);
        }
        let names = names[..12].iter().map(|name| format!("`{name}`, "));
        format!("{}…", names.collect::<String>())
    }
}
