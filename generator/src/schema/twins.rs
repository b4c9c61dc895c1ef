//! A table that one branch renamed while another changed it: after the merge the state has it under
//! both names.

use super::table::{Part, Schema};

impl Schema {
    /// Joins such tables under their new names; returns the old ones.
    pub(super) fn join_twins(&mut self) -> Vec<String> {
        let mut twins = Vec::new();
        for table in self.tables.values() {
            let same = |name: &&String| {
                let other = self
                    .tables
                    .get(*name)
                    .filter(|other| other.name != table.name);
                other.is_some_and(|other| other.since.is_some() && other.since == table.since)
            };
            let names = table.was.keys().filter(same);
            twins.extend(names.map(|name| (table.name.clone(), name.clone())));
        }
        for (now, old) in &twins {
            if let Some(other) = self.tables.remove(old)
                && let Some(table) = self.tables.get_mut(now)
            {
                for (part, version) in &other.touched {
                    let column = match part {
                        Part::Column(name) => other.column(name).cloned(),
                        Part::Index(_) => None,
                    };
                    table.learn(part.clone(), column, other.has(part), Some(*version));
                }
            }
            self.point(|key| {
                if key.table == *old {
                    key.table.clone_from(now);
                }
            });
        }
        twins.into_iter().map(|(_, old)| old).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Table;

    fn schema(texts: [&str; 2]) -> Schema {
        let tables = texts.map(|text| Table::from_text(text).unwrap());
        Schema {
            tables: tables.map(|table| (table.name.clone(), table)).into(),
        }
    }

    #[test]
    fn the_later_change_of_each_column_counts_under_the_new_table_name() {
        let old = "table@1 dishes\nunit a.dishes\nprimary id counted\ncolumn id bigint not_null\ncolumn@5 note text null\ndropped@5 column size\nindex@6 note\n";
        let new = "table@1 plates\nunit a.plates\nprimary id counted\nwas@3 dishes\ncolumn id bigint not_null\ncolumn@2 size text null\ncolumn@7 price text null\n";
        let mut joined = schema([old, new]);
        assert_eq!(joined.join_twins(), ["dishes"]);
        let text = joined.tables["plates"].to_text();
        assert_eq!(
            text,
            "table@1 plates\nunit a.plates\nprimary id counted\nwas@3 dishes\ncolumn id bigint not_null\ncolumn@7 price text null\ncolumn@5 note text null\ndropped@5 column size\nindex@6 note\n"
        );
        // A table that got the name later is another one.
        let mut apart = schema([&old.replace("table@1", "table@4"), new]);
        assert_eq!(apart.join_twins(), [""; 0]);
        assert_eq!(apart.tables.len(), 2);
    }
}
