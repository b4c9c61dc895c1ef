//! Relations checked against the resources they name, across extensions.

mod belongs_to;

use formwork_vocabulary::did_you_mean::nearest;
use formwork_vocabulary::inflect::plural;

use crate::diagnostic::Code;
use crate::manifest::vocabulary::RelationWord;
use crate::project::{Literal, Morph, Pivot, Relation, RelationKind};

use super::column_type::written;
use super::draft::{Draft, RelationDraft};
use super::literal;
use super::reader::Reader;
use super::registry::{Registered, Registry};
use super::report::{Report, Word};
use super::target::{RelationSide, has_column, has_morph, key_column, pivot_names, same_kind};

/// Links every relation of a draft, and adds the columns they declare.
pub fn link(draft: &mut Draft<'_>, registry: &Registry, report: Report<'_>) {
    let Some(resource) = &mut draft.resource else {
        return;
    };
    let mut side = RelationSide {
        resource,
        places: &draft.places,
        unread: &draft.unread,
        registry,
        report,
    };
    for relation in &draft.relations {
        if let Some(linked) = side.relation(relation) {
            side.resource.model.relations.push(linked);
        }
    }
}

impl RelationSide<'_> {
    fn relation(&mut self, draft: &RelationDraft) -> Option<Relation> {
        let targets = draft.targets.iter();
        let known = targets.filter(|(_, target)| self.is_known(target)).count();
        if known < draft.targets.len() {
            return None;
        }
        let (_, word) = draft.targets.first()?;
        let target = self.registry.get(&word.text)?.clone();
        let kind = self.kind(draft, &target)?;
        for column in &draft.order {
            let word = Word {
                text: column.text.trim_start_matches('-').to_owned(),
                span: column.span,
            };
            has_column(&target, &word, "`order`", self.report);
        }
        Some(Relation {
            name: draft.name.text.clone(),
            was: draft.was.as_ref().map(|word| word.text.clone()),
            kind,
            target: word.text.clone(),
            json_type: draft.json_type.clone(),
            conditions: self.conditions(draft, &target),
            order: draft.order.iter().map(|word| word.text.clone()).collect(),
            first: draft.first,
            include: draft.include,
            load: draft.load.clone(),
            sync: draft.sync,
        })
    }

    fn is_known(&self, target: &Word) -> bool {
        let Word { text, span } = target;
        if self.registry.get(text).is_some() {
            return true;
        }
        let keys = self.registry.keys();
        let plural = plural(text);
        let near = keys.iter().find(|key| **key == plural).copied();
        let help = match near.or_else(|| nearest(text, keys.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add `models/{text}.yaml` or `resources/{text}.yaml` to an extension"),
        };
        let message = format!("no resource or model is named `{text}`");
        let report = self.report;
        report.reject(Code::UnknownTarget, *span, message, help);
        false
    }

    fn kind(&mut self, draft: &RelationDraft, target: &Registered) -> Option<RelationKind> {
        let name = draft.morph.as_ref().map(|word| word.text.clone());
        let value = draft.value.clone();
        let morph = Morph {
            name: name.unwrap_or_default(),
            value: value.unwrap_or_else(|| self.resource.key.clone()),
        };
        let has_morph = || has_morph(target, draft.morph.as_ref()?, "there", self.report);
        Some(match draft.kind {
            RelationWord::BelongsTo => self.belongs_to(draft, target)?,
            RelationWord::HasOne => RelationKind::HasOne {
                column: self.column_of_target(draft, target)?,
            },
            RelationWord::HasMany => RelationKind::HasMany {
                column: self.column_of_target(draft, target)?,
            },
            RelationWord::ManyToMany => RelationKind::ManyToMany(self.pivot(draft, target, None)?),
            RelationWord::MorphOne => {
                has_morph()?;
                RelationKind::MorphOne(morph)
            }
            RelationWord::MorphMany => {
                has_morph()?;
                RelationKind::MorphMany(morph)
            }
            RelationWord::MorphTo => self.morph_to(draft)?,
            RelationWord::MorphManyToMany => {
                let pivot = self.pivot(draft, target, Some(&morph))?;
                RelationKind::MorphManyToMany { pivot, morph }
            }
        })
    }

    /// Returns the column of the target that holds this side's key.
    fn column_of_target(&self, draft: &RelationDraft, target: &Registered) -> Option<String> {
        let word = draft.column.clone().unwrap_or_else(|| Word {
            text: key_column(&self.resource.model.key.name, &self.resource.key),
            span: draft.name.span,
        });
        let label = format!("`{}`", draft.kind.text());
        has_column(target, &word, &label, self.report)?;
        let own = &self.resource.model.key.kind;
        if let Some(kind) = target.columns.get(&word.text)
            && !same_kind(kind, own)
        {
            let (table, column) = (&target.table, &word.text);
            let (kind, own) = (written(kind), written(own));
            let message = format!("`{table}.{column}` is {kind}, but it holds keys of type {own}");
            let help = "a column that holds a key is of the key's type";
            let report = self.report;
            report.reject(Code::KeyMismatch, word.span, message, help);
        }
        Some(word.text)
    }

    /// Returns the pivot, with the names it had before `was:` renamed a side, a key or the table.
    fn pivot(
        &self,
        draft: &RelationDraft,
        target: &Registered,
        morph: Option<&Morph>,
    ) -> Option<Pivot> {
        let (_, other) = draft.targets.first()?;
        let (own, key) = (self.resource.key.as_str(), &self.resource.model.key);
        let own_was = self.resource.was.as_deref().unwrap_or(own);
        let own_was = (own_was, key.was.as_deref().unwrap_or(&key.name));
        let other_was = target.was.as_deref().unwrap_or(&other.text);
        let other_was = (other_was, target.key_was.as_deref().unwrap_or(&target.key));
        let (own, other) = (
            (own, key.name.as_str()),
            (other.text.as_str(), target.key.as_str()),
        );
        let table = draft.pivot.as_ref();
        let table_was = draft.pivot_was.as_ref().or(table);
        let was = pivot_names(draft, table_was, morph, own_was, other_was);
        let now = pivot_names(draft, table, morph, own, other);
        let was = (was != now).then_some(was);
        let pivot = Pivot {
            table: now.table,
            column: now.column,
            other_column: now.other_column,
            owned: false,
            was,
        };
        self.require_distinct_columns(&pivot, morph, draft)?;
        Some(pivot)
    }

    fn morph_to(&self, draft: &RelationDraft) -> Option<RelationKind> {
        let name = draft.morph.as_ref().unwrap_or(&draft.name);
        let own = self.registry.get(&self.resource.key)?;
        has_morph(own, name, "here", self.report)?;
        let targets = draft.targets.iter();
        let targets = targets.map(|(value, key)| (value.clone(), key.text.clone()));
        Some(RelationKind::MorphTo {
            morph: name.text.clone(),
            targets: targets.collect(),
        })
    }

    /// Checks that the other side of a pivot has a column of its own; databases ignore case.
    fn require_distinct_columns(
        &self,
        pivot: &Pivot,
        morph: Option<&Morph>,
        draft: &RelationDraft,
    ) -> Option<()> {
        let other = &pivot.other_column;
        let morph_type = morph.map(|morph| format!("{}_type", morph.name));
        let mut own = morph_type.iter().chain([&pivot.column]);
        if !own.any(|own| own.eq_ignore_ascii_case(other)) {
            return Some(());
        }
        let span = draft.name.span;
        let message = format!("both sides of the pivot would be `{other}`");
        let help = "name them: `column: parent_id, other_column: child_id`";
        let report = self.report;
        report.reject(Code::RelationMisfit, span, message, help);
        None
    }

    fn conditions(&self, draft: &RelationDraft, target: &Registered) -> Vec<(String, Literal)> {
        let conditions = draft.conditions.iter().filter_map(|(word, node)| {
            has_column(target, word, "`where`", self.report)?;
            let kind = target.columns.get(&word.text)?;
            let value = literal::read(&Reader::new(node, "the value", self.report), kind, true)?;
            Some((word.text.clone(), value))
        });
        conditions.collect()
    }
}
