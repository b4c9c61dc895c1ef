//! Checks the names in a repository against its model: mistakes are reported when the service
//! starts.

use formwork_data::model::{Model, Schema, described};

use super::Repository;
use crate::filters::Filters;

/// Every mistake in a repository's constants and filters, in sentences.
///
/// Hidden columns must not be guessed by order, comparison or search.
pub(crate) fn mistakes<R: Repository>() -> Vec<String> {
    let mut filters = Filters::default();
    R::filters(&mut filters);
    let compared: Vec<&'static str> = filters.columns().collect();
    let named = [
        ("SEARCH", R::SEARCH),
        ("SORT", R::SORT),
        ("FILTER", R::FILTER),
        ("filters", &compared),
    ];
    let mut mistakes = misnamed(Schema::of::<R::Model>(), R::Model::HIDDEN, &named);
    mistakes.extend(unknown_columns::<R::Model>());
    mistakes.extend(unknown_owner::<R>());
    mistakes.extend(unbinding_location::<R>());
    mistakes
}

fn misnamed(schema: &Schema, hidden: &[&str], named: &[(&str, &[&'static str])]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (place, columns) in named {
        for column in *columns {
            // Names in `SORT` that are not columns are computed: the repository orders by them
            // itself.
            let computed = *place == "SORT";
            if schema.column(column).is_none() && !computed {
                mistakes.push(format!("{place} names `{column}`, which is not a column"));
            } else if hidden.contains(column) {
                mistakes.push(format!(
                    "{place} names `{column}`, which is hidden: clients could guess its values"
                ));
            }
        }
    }
    mistakes
}

/// Names in a model's `KEY`, relations and `HIDDEN` that are no columns.
fn unknown_columns<M: Model>() -> Vec<String> {
    let described = described::<M>();
    let is_unknown = |column: &&str| described.schema.column(column).is_none();
    let hidden = M::HIDDEN.iter().copied().filter(is_unknown);
    let hidden = hidden.map(|column| format!("HIDDEN names `{column}`, which is not a column"));
    let relations = described.relations.iter();
    let named = relations.flat_map(|relation| {
        let columns = relation.info.own.names().filter(is_unknown);
        columns.map(|column| {
            let name = relation.info.name;
            format!("the relation `{name}` names `{column}`, which is not a column")
        })
    });
    let key = Some(M::KEY).filter(is_unknown);
    let key = key.map(|key| format!("KEY names `{key}`, which is not a column"));
    key.into_iter().chain(hidden).chain(named).collect()
}

fn unknown_owner<R: Repository>() -> Option<String> {
    let owner = R::OWNER?;
    let unknown = Schema::of::<R::Model>().column(owner).is_none();
    unknown.then(|| format!("OWNER names `{owner}`, which is not a column"))
}

fn unbinding_location<R: Repository>() -> Option<String> {
    let name = R::LOCATION?.relation;
    let relations = &described::<R::Model>().relations;
    let Some(relation) = relations.iter().find(|relation| relation.info.name == name) else {
        return Some(format!("LOCATION names `{name}`, which is not a relation"));
    };
    relation.info.binding().is_none().then(|| {
        format!(
            "LOCATION names `{name}`, which cannot bind to locations: it has to be a belongs_to by \
             the location's key, or a many-to-many relation"
        )
    })
}
