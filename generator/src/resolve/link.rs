//! Relations checked against the resources they name, across extensions.

mod belongs_to;
mod side;

use formwork_vocabulary::did_you_mean::nearest;
use formwork_vocabulary::inflect::plural;

use crate::diagnostic::Code;
use crate::project::{Literal, Morph, Pivot, Relation, RelationKind};

use self::side::{DraftPlaces, RelationSide};
use super::column_type::written;
use super::draft::{Draft, RelationDraft};
use super::literal;
use super::registry::{Registered, Registry};
use super::report::{Report, Word};
use super::target::{
    former_pivot, has_column, has_morph, key_column, morph_pivot, morphed, pivot_table, same_kind,
};

/// Links every relation of a draft, and adds the columns they declare.
pub fn link(draft: &mut Draft<'_>, registry: &Registry, report: &mut Report<'_>) {
    let relations = std::mem::take(&mut draft.relations);
    let places = DraftPlaces {
        places: &draft.places,
        unread: &draft.unread,
    };
    if let Some(resource) = &mut draft.resource {
        let mut side = RelationSide {
            resource,
            draft: &places,
            registry,
        };
        for relation in &relations {
            if let Some(linked) = side.relation(relation, report) {
                side.resource.model.relations.push(linked);
            }
        }
    }
    draft.relations = relations;
}

impl RelationSide<'_> {
    fn relation(&mut self, draft: &RelationDraft, report: &mut Report<'_>) -> Option<Relation> {
        let known = draft
            .targets
            .iter()
            .filter(|(_, target)| self.is_known(target, report))
            .count();
        if known < draft.targets.len() {
            return None;
        }
        let (_, word) = draft.targets.first()?;
        let target = self.registry.get(&word.text)?.clone();
        let kind = self.kind(draft, &target, report)?;
        let conditions = conditions(draft, &target, report);
        for column in &draft.order {
            let bare = column.text.trim_start_matches('-');
            let word = Word {
                text: bare.to_owned(),
                span: column.span,
            };
            has_column(&target, &word, "`order`", report);
        }
        Some(Relation {
            name: draft.name.text.clone(),
            was: draft.was.as_ref().map(|word| word.text.clone()),
            kind,
            target: word.text.clone(),
            json_type: draft.json_type.clone(),
            conditions,
            order: draft.order.iter().map(|word| word.text.clone()).collect(),
            first: draft.first,
            include: draft.include,
            load: draft.load.clone(),
            sync: draft.sync,
        })
    }

    fn is_known(&self, target: &Word, report: &mut Report<'_>) -> bool {
        if self.registry.get(&target.text).is_some() {
            return true;
        }
        let keys = self.registry.keys();
        let plural = plural(&target.text);
        let near = keys.iter().find(|key| **key == plural).copied();
        let help = near.or_else(|| nearest(&target.text, keys.iter().copied()));
        let found = report.error(
            Code::UnknownTarget,
            target.span,
            format!("no resource or model is named `{}`", target.text),
        );
        match help {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!(
                "add `models/{0}.yaml` or `resources/{0}.yaml` to an extension",
                target.text
            )),
        };
        false
    }

    fn kind(
        &mut self,
        draft: &RelationDraft,
        target: &Registered,
        report: &mut Report<'_>,
    ) -> Option<RelationKind> {
        let morph = || Morph {
            name: draft
                .morph
                .as_ref()
                .map(|word| word.text.clone())
                .unwrap_or_default(),
            value: draft
                .value
                .clone()
                .unwrap_or_else(|| self.resource.key.clone()),
        };
        Some(match draft.kind {
            "belongs_to" => self.belongs_to(draft, target, report)?,
            "has_one" => RelationKind::HasOne {
                column: self.column_of_target(draft, target, report)?,
            },
            "has_many" => RelationKind::HasMany {
                column: self.column_of_target(draft, target, report)?,
            },
            "many_to_many" => RelationKind::ManyToMany(self.pivot(draft, target, report)?),
            "morph_one" => RelationKind::MorphOne(morphed(morph(), draft, target, report)?),
            "morph_many" => RelationKind::MorphMany(morphed(morph(), draft, target, report)?),
            "morph_to" => self.morph_to(draft, report)?,
            _ => {
                let morph = morph();
                let pivot = morph_pivot(&morph, draft, target);
                require_distinct_columns(
                    &pivot,
                    &[&format!("{}_type", morph.name)],
                    draft,
                    report,
                )?;
                RelationKind::MorphManyToMany { pivot, morph }
            }
        })
    }

    /// The column of the target that holds this side's key.
    fn column_of_target(
        &self,
        draft: &RelationDraft,
        target: &Registered,
        report: &mut Report<'_>,
    ) -> Option<String> {
        let word = draft.column.clone().unwrap_or_else(|| Word {
            text: key_column(&self.resource.model.key.name, &self.resource.key),
            span: draft.name.span,
        });
        let own = &self.resource.model.key.kind;
        if !has_column(target, &word, &format!("`{}`", draft.kind), report) {
            return None;
        }
        if let Some(kind) = target.columns.get(&word.text)
            && !same_kind(kind, own)
        {
            let message = format!(
                "`{}.{}` is {}, but it holds keys of type {}",
                target.table,
                word.text,
                written(kind),
                written(own)
            );
            report
                .error(Code::KeyMismatch, word.span, message)
                .help("a column that holds a key is of the key's type");
        }
        Some(word.text)
    }

    fn pivot(
        &self,
        draft: &RelationDraft,
        target: &Registered,
        report: &mut Report<'_>,
    ) -> Option<Pivot> {
        let own = &self.resource.key;
        let (_, other) = draft.targets.first()?;
        let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone());
        let pivot = Pivot {
            table: text(&draft.pivot).unwrap_or_else(|| pivot_table(own, &other.text)),
            column: text(&draft.column)
                .unwrap_or_else(|| key_column(&self.resource.model.key.name, own)),
            other_column: text(&draft.other_column)
                .unwrap_or_else(|| key_column(&target.key, &other.text)),
            owned: false,
            was: None,
        };
        require_distinct_columns(&pivot, &[], draft, report)?;
        let was = former_pivot(self.resource, draft, target);
        Some(pivot.renamed_from(was))
    }

    fn morph_to(&self, draft: &RelationDraft, report: &mut Report<'_>) -> Option<RelationKind> {
        let name = draft.morph.as_ref().unwrap_or(&draft.name);
        let own = self.registry.get(&self.resource.key)?;
        has_morph(own, name, "here", report).then(|| RelationKind::MorphTo {
            morph: name.text.clone(),
            targets: draft
                .targets
                .iter()
                .map(|(value, key)| (value.clone(), key.text.clone()))
                .collect(),
        })
    }
}

/// The other side of a pivot has a column of its own; databases ignore case.
fn require_distinct_columns(
    pivot: &Pivot,
    others: &[&str],
    draft: &RelationDraft,
    report: &mut Report<'_>,
) -> Option<()> {
    let other = &pivot.other_column;
    let mut own = others.iter().copied().chain([pivot.column.as_str()]);
    if !own.any(|own| own.eq_ignore_ascii_case(other)) {
        return Some(());
    }
    let message = format!("both sides of the pivot would be `{other}`");
    report
        .error(Code::RelationMisfit, draft.name.span, message)
        .help("name them: `column: parent_id, other_column: child_id`");
    None
}

fn conditions(
    draft: &RelationDraft,
    target: &Registered,
    report: &mut Report<'_>,
) -> Vec<(String, Literal)> {
    let mut conditions = Vec::new();
    for (word, node) in &draft.conditions {
        if !has_column(target, word, "`where`", report) {
            continue;
        }
        let Some(kind) = target.columns.get(&word.text) else {
            continue;
        };
        if let Some(value) = literal::read(node, kind, true, "the value", report) {
            conditions.push((word.text.clone(), value));
        }
    }
    conditions
}
