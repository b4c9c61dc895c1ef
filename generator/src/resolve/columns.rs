//! Lists of columns in a manifest, held against the columns there are.

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::did_you_mean::nearest;

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::name;
use crate::project::{Access, ColumnType, Model};

use super::draft::{AttributeDraft, ModelDraft, Visibility};
use super::report::{Report, Word};

/// The columns of one model: those of `belongs_to` included.
#[derive(Debug, Default)]
pub struct ModelColumns {
    known: BTreeMap<String, (Visibility, Option<ColumnType>)>,
    unread: BTreeSet<String>,
    key: String,
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

/// Two columns whose Rust fields would be the same, or whose names are one to a database.
pub fn refuse_collisions(draft: &ModelDraft, report: &mut Report<'_>) {
    let mut known: BTreeMap<String, (&str, Option<Span>)> = BTreeMap::new();
    for name in given(&draft.model) {
        known.extend(spellings(name).map(|one| (one, (name, None))));
    }
    for AttributeDraft {
        attribute, span, ..
    } in &draft.attributes
    {
        let name = attribute.name.as_str();
        let earlier = spellings(name).map(|one| known.insert(one, (name, Some(*span))));
        let other = earlier
            .into_iter()
            .flatten()
            .find(|(other, _)| *other != name);
        let Some((other, place)) = other else {
            continue;
        };
        let message = alike(name, other);
        let path = report.path;
        let found = report.error(Code::NameCollision, *span, message);
        if let Some(place) = place {
            found.related(path, place, "the other one");
        }
        found.help("give one of them a name that differs in more than case");
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

impl ModelColumns {
    /// The columns of a model as written.
    pub fn of(draft: &ModelDraft) -> Self {
        let mut known = BTreeMap::new();
        let key = &draft.model.key;
        for relation in &draft.relations {
            if relation.kind == "belongs_to" {
                known.insert(relation.own_column(), (Visibility::Visible, None));
            }
        }
        for attribute in draft.attributes.iter().map(|draft| &draft.attribute) {
            let visibility = match attribute.access {
                Access::WriteOnly | Access::Hidden => Visibility::Hidden,
                _ => Visibility::Visible,
            };
            known.insert(
                attribute.name.clone(),
                (visibility, Some(attribute.kind.clone())),
            );
        }
        known.insert(
            key.name.clone(),
            (Visibility::Visible, Some(key.kind.clone())),
        );
        if draft.model.timestamps {
            for name in ["created_at", "updated_at"] {
                known.insert(
                    name.to_owned(),
                    (Visibility::Visible, Some(ColumnType::DateTime)),
                );
            }
        }
        Self {
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
    pub fn check(&self, word: &Word, label: &str, report: &mut Report<'_>) -> bool {
        if self.has(&word.text) {
            return true;
        }
        let found = report.error(
            Code::UnknownColumn,
            word.span,
            format!(
                "{label} names the attribute `{}`, which does not exist",
                word.text
            ),
        );
        match nearest(&word.text, self.names()) {
            _ if word.text == "id" => found.help(format!("the key is `{}`", self.key)),
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!("the columns are {}", self.list())),
        };
        false
    }

    /// Reports a column that does not exist, or that is never sent to clients.
    pub fn check_visible(&self, word: &Word, label: &str, report: &mut Report<'_>) -> bool {
        if !self.check(word, label, report) {
            return false;
        }
        let hidden = matches!(self.known.get(&word.text), Some((Visibility::Hidden, _)));
        if hidden {
            report
                .error(
                    Code::HiddenColumn,
                    word.span,
                    format!(
                        "{label} names `{}`, which is never sent to clients",
                        word.text
                    ),
                )
                .help("leave it out: queries would reveal hidden and write_only attributes");
        }
        !hidden
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        if names.len() <= 12 {
            return crate::suggestion::quoted(&names);
        }
        format!(
            "{}, …",
            names[..12]
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        )
    }
}
