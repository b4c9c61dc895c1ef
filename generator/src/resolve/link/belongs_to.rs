//! `belongs_to`: its column is an attribute's, or the relation declares it.

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::project::{Attribute, ColumnType, Literal, Reference, RelationKind};
use crate::resolve::attribute::blank;
use crate::resolve::column_type::written;
use crate::resolve::columns;
use crate::resolve::draft::RelationDraft;
use crate::resolve::registry::Registered;
use crate::resolve::report::Report;
use crate::resolve::rule_list::complete;
use crate::resolve::target::{RelationSide, has_column, same_kind};
use crate::resolve::writes;

impl RelationSide<'_> {
    pub(super) fn belongs_to(
        &mut self,
        draft: &RelationDraft,
        target: &Registered,
    ) -> Option<RelationKind> {
        let (_, word) = draft.targets.first()?;
        if let Some(key) = &draft.target_key {
            has_column(target, key, "`target_key`", self.report)?;
        }
        let (target_key, kind) = match &draft.target_key {
            Some(key) => (key.text.clone(), target.columns.get(&key.text)),
            None => (target.key.clone(), Some(&target.key_kind)),
        };
        let column = draft.own_column();
        let reference = Reference {
            resource: word.text.clone(),
            table: target.table.clone(),
            column: target_key.clone(),
            is_primary: target_key == target.key,
        };
        if let Some(kind) = kind.filter(|_| !target.partial) {
            self.declare(&column, kind, reference, draft);
        }
        Some(RelationKind::BelongsTo { column, target_key })
    }

    /// Declares the column unless an attribute does.
    fn declare(
        &mut self,
        column: &str,
        kind: &ColumnType,
        reference: Reference,
        draft: &RelationDraft,
    ) {
        let (model, report) = (&mut self.resource.model, self.report);
        if column == model.key.name || self.unread.contains(column) {
            return;
        }
        let span = self.places.get(column).copied();
        let span = span.unwrap_or(draft.name.span);
        if let Some(attribute) = model.attributes.iter_mut().find(|own| own.name == column) {
            adopt(attribute, kind, reference, draft, span, report);
            return;
        }
        if let Some(other) = columns::taken(model, column) {
            let message = match other == column {
                true => format!("`{column}` is declared twice: `timestamps` keeps it"),
                false => columns::alike(column, other),
            };
            let help = "name the column of one of them: `column: …`";
            report.reject(Code::NameCollision, draft.name.span, message, help);
            return;
        }
        if draft.nullable.is_none() {
            let name = &draft.name.text;
            let message = format!("`{name}` has no `nullable`: its column is nullable by default");
            let help = "write `nullable: false` if every row has one, `nullable: true` if not";
            report.warn(Code::NullableUnsaid, draft.name.span, message, help);
        }
        let mut attribute = blank(column, kind.clone(), draft.nullable.unwrap_or(true));
        attribute.rules = complete(attribute.rules, kind, attribute.nullable);
        attribute.references = Some(reference);
        attribute.constraint = draft.constraint;
        attribute.was = draft.former_column();
        let api = self.resource.api.as_ref();
        writes::require(&mut attribute, span, &Default::default(), api, report);
        model.attributes.push(attribute);
    }
}

/// Checks an attribute that a relation points through: its type must be that of the key.
fn adopt(
    attribute: &mut Attribute,
    kind: &ColumnType,
    reference: Reference,
    draft: &RelationDraft,
    span: Span,
    report: Report<'_>,
) {
    let name = &attribute.name;
    if !same_kind(&attribute.kind, kind) {
        let (own, kind) = (written(&attribute.kind), written(kind));
        let Reference {
            resource, column, ..
        } = &reference;
        let message = format!(
            "`{name}` is {own}, but it holds values of `{resource}.{column}`, which is {kind}"
        );
        let help = format!("make it {kind}, or leave it out: the relation declares it");
        report.reject(Code::KeyMismatch, span, message, help);
        return;
    }
    if draft.nullable.is_some() {
        let message = format!(
            "`{name}` is an attribute too, and its own definition decides whether it is nullable"
        );
        let help = "leave `nullable` out of the relation";
        report.reject(Code::RelationMisfit, draft.name.span, message, help);
    }
    // A default of 0 on such a column becomes NULL: no row has that key.
    if attribute.default == Some(Literal::Int(0)) {
        if attribute.nullable {
            attribute.default = None;
        } else {
            let message = format!("`{name}` holds a key, and 0 is not a key");
            let help = "write the id of a row as the default, or make the column nullable";
            report.reject(Code::LiteralMisfit, span, message, help);
        }
    }
    attribute.constraint &= draft.constraint;
    attribute.references.get_or_insert(reference);
}
