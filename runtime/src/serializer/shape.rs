//! What a transformer shows, as far as its types say it: names, kinds, what may be null.
//!
//! A record is a value of a Rust type, whose fields have types of their own: serde passes each of
//! them with its type. So it is enough to look at two made-up records, a blank one and one with a
//! value everywhere; by themselves, and with such rows in their relations, since an empty list does
//! not say what it is a list of. Of what is not known for sure, nothing is said.

mod known;
mod probe;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use self::probe::Probe;
use crate::{column::Kind, context::Context, loaded::Loaded, transformer::Transformer};

/// What is known of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub kind: ShapeKind,
    /// Whether it may be null.
    pub nullable: bool,
}

/// What a value is where it is not null.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapeKind {
    /// Anything, or nothing is known.
    Any,
    /// Nothing was seen yet: an item of an empty list, the value of what was null.
    Unseen,
    /// What a column of this kind shows.
    Scalar(Kind),
    /// [`Links`](crate::transformer::Links).
    Links,
    /// A list of these.
    List(Box<Shape>),
    /// An object with these members, and perhaps others.
    Object(Members),
    /// An object whose names are data: those that were seen, and what stands under all of them.
    Map(Members, Box<Shape>),
}

/// Names and shapes of members, in the order they are shown in.
pub(crate) type Members = Vec<(String, Shape)>;

impl Shape {
    pub fn of(kind: ShapeKind) -> Self {
        Self {
            kind,
            nullable: false,
        }
    }

    fn or_null(self) -> Self {
        Self {
            nullable: true,
            ..self
        }
    }

    /// What is true of both.
    fn merge(self, other: Self) -> Self {
        let nullable = self.nullable || other.nullable;
        let kind = match (self.kind, other.kind) {
            (ShapeKind::List(one), ShapeKind::List(other)) => {
                ShapeKind::List(Box::new(one.merge(*other)))
            }
            (ShapeKind::Object(one), ShapeKind::Object(other)) => {
                ShapeKind::Object(merged(one, other))
            }
            (ShapeKind::Map(one, values), ShapeKind::Map(other, others)) => {
                ShapeKind::Map(merged(one, other), Box::new(values.merge(*others)))
            }
            // What is empty may be either.
            (ShapeKind::Map(none, _), ShapeKind::Object(members))
            | (ShapeKind::Object(members), ShapeKind::Map(none, _))
                if none.is_empty() =>
            {
                ShapeKind::Object(members)
            }
            (ShapeKind::Unseen, seen) | (seen, ShapeKind::Unseen) => seen,
            (one, other) if one == other => one,
            _ => ShapeKind::Any,
        };
        Self { kind, nullable }
    }
}

/// The members of both; what only one has may be left out.
fn merged(mut one: Members, other: Members) -> Members {
    for (name, shape) in other {
        match one.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = known.clone().merge(shape),
            None => one.push((name, shape)),
        }
    }
    one
}

/// The members a transformer shows to these callers of these records; `None` where it cannot say
/// without a real one.
pub(crate) fn shape<T: Transformer>(
    callers: &[Context],
    records: impl Iterator<Item = [Loaded<T::Model>; 2]>,
) -> Option<Members> {
    records
        .filter_map(|both| looked_at::<T>(callers, &both))
        .reduce(merged)
}

fn looked_at<T: Transformer>(callers: &[Context], records: &[Loaded<T::Model>]) -> Option<Members> {
    let shown = || {
        let mut all: Option<Members> = None;
        for ctx in callers {
            for record in records {
                let shown = T::transform(record, ctx).serialize(Probe).ok()?;
                // One that makes its record by hand means the names it writes.
                let (ShapeKind::Object(members) | ShapeKind::Map(members, _)) = shown.kind else {
                    return None;
                };
                all = Some(match all {
                    Some(known) => merged(known, members),
                    None => members,
                });
            }
        }
        all
    };
    // A transformer may count on what only real records have.
    catch_unwind(AssertUnwindSafe(shown)).ok().flatten()
}

#[cfg(test)]
mod tests;
