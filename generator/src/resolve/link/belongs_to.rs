//! `belongs_to`: its column is an attribute's, or the relation declares it.

use super::side::RelationSide;
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
use crate::resolve::target::{has_column, same_kind};
use crate::resolve::writes;

impl RelationSide<'_> {
    pub(super) fn belongs_to(
        &mut self,
        draft: &RelationDraft,
        target: &Registered,
        report: &mut Report<'_>,
    ) -> Option<RelationKind> {
        let (_, word) = draft.targets.first()?;
        let (target_key, kind) = match &draft.target_key {
            Some(key) if !has_column(target, key, "`target_key`", report) => return None,
            Some(key) => (key.text.clone(), target.columns.get(&key.text).cloned()),
            None => (target.key.clone(), Some(target.key_kind.clone())),
        };
        let column = draft.own_column();
        let reference = Reference {
            resource: word.text.clone(),
            table: target.table.clone(),
            column: target_key.clone(),
            is_primary: target_key == target.key,
        };
        if let Some(kind) = kind
            && !target.partial
        {
            self.declare(&column, &kind, reference, draft, report);
        }
        Some(RelationKind::BelongsTo { column, target_key })
    }

    /// `belongs_to` declares its column unless an attribute does.
    fn declare(
        &mut self,
        column: &str,
        kind: &ColumnType,
        reference: Reference,
        draft: &RelationDraft,
        report: &mut Report<'_>,
    ) {
        let model = &mut self.resource.model;
        if column == model.key.name || self.draft.unread.contains(column) {
            return;
        }
        let span = self
            .draft
            .places
            .get(column)
            .copied()
            .unwrap_or(draft.name.span);
        if let Some(attribute) = model.attributes.iter_mut().find(|own| own.name == column) {
            adopt(attribute, kind, reference, draft, span, report);
            return;
        }
        if let Some(other) = columns::taken(model, column) {
            let message = match other == column {
                true => format!("`{column}` is declared twice: `timestamps` keeps it"),
                false => columns::alike(column, other),
            };
            report
                .error(Code::NameCollision, draft.name.span, message)
                .help("name the column of one of them: `column: …`");
            return;
        }
        if draft.nullable.is_none() {
            let name = &draft.name.text;
            report
                .warning(
                    Code::NullableUnsaid,
                    draft.name.span,
                    format!("`{name}` has no `nullable`: its column is nullable by default"),
                )
                .help("write `nullable: false` if every row has one, `nullable: true` if not");
        }
        let mut attribute = blank(column, kind.clone(), draft.nullable.unwrap_or(true));
        attribute.rules = complete(attribute.rules, kind, attribute.nullable);
        attribute.references = Some(reference);
        attribute.constraint = draft.constraint;
        attribute.was = draft.former_column();
        let api = self.resource.api.as_ref();
        let owner = api.and_then(|api| api.owner.as_deref());
        writes::require(
            &mut attribute,
            span,
            &Default::default(),
            api,
            owner,
            report,
        );
        self.resource.model.attributes.push(attribute);
    }
}

/// An attribute that a relation points through: its type must be that of the key.
fn adopt(
    attribute: &mut Attribute,
    kind: &ColumnType,
    reference: Reference,
    draft: &RelationDraft,
    span: Span,
    report: &mut Report<'_>,
) {
    if !same_kind(&attribute.kind, kind) {
        let message = format!(
            "`{}` is {}, but it holds values of `{}.{}`, which is {}",
            attribute.name,
            written(&attribute.kind),
            reference.resource,
            reference.column,
            written(kind)
        );
        report.error(Code::KeyMismatch, span, message).help(format!(
            "make it {}, or leave it out: the relation declares it",
            written(kind)
        ));
        return;
    }
    if draft.nullable.is_some() {
        report
            .error(
                Code::RelationMisfit,
                draft.name.span,
                format!(
                    "`{}` is an attribute too, and its own definition decides whether it is nullable",
                    attribute.name
                ),
            )
            .help("leave `nullable` out of the relation");
    }
    // A default of 0 on such a column becomes NULL: no row has that key.
    if attribute.default == Some(Literal::Int(0)) {
        if attribute.nullable {
            attribute.default = None;
        } else {
            report
                .error(
                    Code::LiteralMisfit,
                    span,
                    format!("`{}` holds a key, and 0 is not a key", attribute.name),
                )
                .help("write the id of a row as the default, or make the column nullable");
        }
    }
    attribute.constraint &= draft.constraint;
    attribute.references.get_or_insert(reference);
}
