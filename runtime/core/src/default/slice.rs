//! A page of a list that is read by cursor.

use formwork_data::error::Result;
use serde::Serialize;

use super::render::{self, PageLinks, list_path};
use crate::{
    context::Context,
    includes::Includes,
    params::{Direction, KeysetParams, Pairs, says_where},
    repository::{self, Repository},
    response::Response,
    transformer::Transformer,
};

/// Answers the page that lies behind, or in front of, a cursor.
///
/// # Errors
///
/// 400 for a cursor of another order, and filters that do not parse; what the database answers.
pub(super) async fn answer<R, T>(
    ctx: &Context,
    keyset: &KeysetParams,
    includes: &Includes,
) -> Result<Response>
where
    R: Repository,
    T: Transformer<Model = R::Model>,
{
    let slice = repository::slice::<R>(ctx, ctx.params(), keyset).await?;
    let pagination = UncountedPaging {
        count: slice.records.len(),
        per_page: ctx.params().page().size,
    };
    let links = links(
        (&list_path(ctx), &ctx.request().query),
        keyset,
        (slice.before, slice.after),
    );
    render::list::<T>(ctx, slice.records, includes, &pagination, &links).await
}

/// `meta.pagination` of a list whose rows are not counted.
#[derive(Serialize)]
struct UncountedPaging {
    count: usize,
    per_page: u32,
}

/// Links keep the other parameters.
fn links(
    (path, query): (&str, &str),
    keyset: &KeysetParams,
    (before, after): (Option<String>, Option<String>),
) -> PageLinks {
    let pairs = Pairs::read(query);
    let link = |direction: Direction, cursor: &str| {
        let parameter = format!("{}={cursor}", direction.parameter());
        format!("{path}?{}", pairs.replaced(says_where, &parameter))
    };
    PageLinks {
        this: link(keyset.direction, &keyset.cursor),
        first: link(Direction::After, ""),
        prev: before.map(|cursor| link(Direction::Before, &cursor)),
        next: after.map(|cursor| link(Direction::After, &cursor)),
        last: link(Direction::Before, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_keep_the_other_parameters() {
        let keyset = KeysetParams {
            direction: Direction::After,
            cursor: "5b".to_owned(),
        };
        let query = "sort=-price&page[after]=5b&search=a+b";
        let links = links(("/m", query), &keyset, (None, Some("6c".to_owned())));
        assert_eq!(links.this, "/m?sort=-price&search=a+b&page%5Bafter%5D=5b");
        assert_eq!(links.prev, None);
        let next = links.next.unwrap_or_default();
        assert_eq!(next, "/m?sort=-price&search=a+b&page%5Bafter%5D=6c");
        assert_eq!(links.last, "/m?sort=-price&search=a+b&page%5Bbefore%5D=");
    }
}
