//! Records with made-up values: they show what depends on which column.

use serde_json::{Value as Json, json};

use super::{Model, Schema};
use crate::{
    column::{Column, Columns, Kind},
    error::Result,
    relations::{Local, OwnColumns},
    value::Value,
};

/// A record with a value in every column.
pub(crate) fn sampled<M: Model>() -> M {
    let mut record = M::default();
    // This visitor finds nothing wrong.
    let _ = record.columns(&mut Sample::default());
    record
}

/// The columns a relation reads its own side from: those that a body's relationship writes.
pub(super) fn own_columns<M: Model>(local: &Local<M>, count: usize) -> OwnColumns {
    let read = |record: &M| match local {
        Local::Key => (Value::Null, Value::Null),
        Local::Column(local) => (local(record), Value::Null),
        Local::Morph(local) => local(record),
    };
    let before = read(&M::default());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for at in 0..count {
        let mut record = M::default();
        let mut sample = Sample {
            only: Some(at),
            ..Sample::default()
        };
        // This visitor finds nothing wrong.
        let _ = record.columns(&mut sample);
        let (name, after) = (sample.name, read(&record));
        first.extend(name.filter(|_| after.0 != before.0));
        second.extend(name.filter(|_| after.1 != before.1));
    }
    match (local, first.as_slice(), second.as_slice()) {
        (Local::Column(_), [column], _) => OwnColumns::One(column),
        (Local::Morph(_), [kind], [id]) => OwnColumns::Morph { kind, id },
        _ => OwnColumns::Unknown,
    }
}

/// The columns that do not show in a record's JSON, whatever their value: what never leaves.
pub(crate) fn hidden_columns<M: Model>() -> Vec<&'static str> {
    let shown = |record: &M| serde_json::to_string(record).ok();
    let plain = shown(&M::default());
    let count = Schema::of::<M>().columns.len();
    let column = |at| {
        let mut record = M::default();
        let mut sample = Sample {
            only: Some(at),
            ..Sample::default()
        };
        // This visitor finds nothing wrong.
        let _ = record.columns(&mut sample);
        sample.name.filter(|_| shown(&record) == plain)
    };
    (0..count).filter_map(column).collect()
}

/// Sets columns to a value that no default is.
#[derive(Default)]
struct Sample {
    /// The position of the only column to set; otherwise all are.
    only: Option<usize>,
    at: usize,
    /// The last column that was set.
    name: Option<&'static str>,
}

impl Columns for Sample {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        if self.only.is_none_or(|only| only == self.at)
            && let Ok(value) = T::from_json(&sample(T::KIND))
        {
            *field = value;
            self.name = Some(name);
        }
        self.at += 1;
        Ok(())
    }
}

fn sample(kind: Kind) -> Json {
    match kind {
        Kind::Text => json!("sample"),
        Kind::Integer | Kind::BigInt => json!(7),
        Kind::Float => json!(1.5),
        Kind::Decimal(_) => json!("1"),
        Kind::Boolean => json!(true),
        Kind::Date => json!("2001-02-03"),
        Kind::Time => json!("04:05:06"),
        Kind::DateTime => json!("2001-02-03T04:05:06Z"),
        Kind::Json => json!({}),
        Kind::Uuid => json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::{relations::Relations, value::Uuid};

    #[derive(Debug, Clone, Default, PartialEq, Serialize)]
    struct Review {
        id: i64,
        author: Option<i64>,
        code: String,
        kind: String,
        of: Option<Uuid>,
    }

    impl Model for Review {
        type Key = i64;

        const TABLE: &'static str = "reviews";
        const KEY: &'static str = "id";

        fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
            to.key("id", &mut self.id)?;
            to.column("author_id", &mut self.author)?;
            to.column("code", &mut self.code)?;
            to.column("of_type", &mut self.kind)?;
            to.column("of_id", &mut self.of)
        }

        fn relations(to: &mut Relations<Self>) {
            to.belongs_to("author", "people", |review| review.author);
            to.belongs_to("code", "codes", |review| review.code.clone());
            to.morph_to("of", &[("menus", "menus")], |review| {
                (review.kind.clone(), review.of)
            });
            to.has_many("notes", "notes", "review_id");
            to.belongs_to("both", "people", |review| {
                review.author.filter(|_| review.code.is_empty())
            });
            to.belongs_to("either", "people", |review| {
                review.author.unwrap_or(review.id)
            });
        }
    }

    #[test]
    fn relations_are_known_by_the_columns_they_read() {
        let relations = &crate::model::described::<Review>().relations;
        let of = |at: usize| relations[at].info.own;
        assert_eq!(of(0), OwnColumns::One("author_id"));
        assert_eq!(of(1), OwnColumns::One("code"));
        let morph = OwnColumns::Morph {
            kind: "of_type",
            id: "of_id",
        };
        assert_eq!(of(2), morph);
        assert_eq!(of(3), OwnColumns::Unknown);
        assert_eq!(of(4), OwnColumns::One("author_id"));
        assert_eq!(of(5), OwnColumns::Unknown, "two columns have a say");
    }

    #[test]
    fn a_sample_has_a_value_everywhere() {
        let sampled: Review = sampled();
        assert!(sampled.author.is_some() && sampled.of.is_some() && !sampled.kind.is_empty());
    }
}
