//! A page of records.

use formwork_data::error::Result;
use serde::Serialize;

use super::{
    acting::acting,
    hooks::Hooks,
    render::{self, PageLinks, list_path},
    slice,
};
use crate::{
    action::Action,
    context::Context,
    params::{PageParams, Pairs, says_which},
    repository,
    response::Response,
};

/// Answers a page of records: those in the caller's reach that pass `search` and `filter`, in the
/// order of `sort`, with the relations that `include` names. With `page[after]` or `page[before]`
/// the page begins at a cursor, and no rows are counted.
///
/// # Errors
///
/// 400 for filters that do not parse; what the database answers.
pub async fn index<C: Hooks>(controller: &C, ctx: &Context) -> Result<Response> {
    let ctx = &*acting(controller, ctx, Action::Index)?;
    let includes = render::plan(ctx)?;
    if let Some(keyset) = ctx.params().keyset() {
        return slice::answer::<C::Repository, C::Transformer>(ctx, keyset, &includes).await;
    }
    let page = repository::page::<C::Repository>(ctx, ctx.params()).await?;
    let paging = Paging::new(ctx.params().page(), page.total, page.records.len());
    let links = paging.links(ctx);
    render::list::<C::Transformer>(ctx, page.records, &includes, &paging, &links).await
}

/// `meta.pagination` of a list.
#[derive(Debug, Clone, Serialize)]
struct Paging {
    total: u64,
    count: usize,
    per_page: u32,
    current_page: u64,
    total_pages: u64,
}

impl Paging {
    fn new(page: PageParams, total: u64, count: usize) -> Self {
        Self {
            total,
            count,
            per_page: page.size,
            current_page: page.number,
            // An empty list has one page, which is empty.
            total_pages: total.div_ceil(u64::from(page.size)).max(1),
        }
    }

    fn links(&self, ctx: &Context) -> PageLinks {
        let request = ctx.request();
        self.links_at(&list_path(ctx), &request.query)
    }

    /// Links keep the other parameters, and the family of names the client used.
    fn links_at(&self, path: &str, query: &str) -> PageLinks {
        let pairs = Pairs::read(query);
        let bracketed = pairs.0.iter().any(|pair| pair.name.starts_with("page["));
        let name = if bracketed { "page[number]" } else { "page" };
        let link = |number: u64| {
            format!(
                "{path}?{}",
                pairs.replaced(says_which, &format!("{name}={number}"))
            )
        };
        let Self {
            current_page: current,
            total_pages: last,
            ..
        } = *self;
        PageLinks {
            this: link(current),
            first: link(1),
            prev: (current > 1).then(|| link((current - 1).min(last))),
            next: (current < last).then(|| link(current + 1)),
            last: link(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(number: u64, total: u64) -> Paging {
        Paging::new(PageParams { number, size: 20 }, total, 0)
    }

    #[test]
    fn links_keep_the_other_parameters() {
        let links = paging(2, 55).links_at("/api/menus", "sort=-menu_name&page=2&search=a+b");
        assert_eq!(links.this, "/api/menus?sort=-menu_name&search=a+b&page=2");
        assert_eq!(
            links.prev.as_deref(),
            Some("/api/menus?sort=-menu_name&search=a+b&page=1")
        );
        assert_eq!(links.last, "/api/menus?sort=-menu_name&search=a+b&page=3");
        let links = paging(1, 55).links_at("/api/menus", "page[size]=20");
        assert_eq!(
            links.next.as_deref(),
            Some("/api/menus?page%5Bsize%5D=20&page%5Bnumber%5D=2")
        );
    }

    #[test]
    fn the_ends_have_no_neighbours() {
        let alone = paging(1, 0).links_at("/m", "");
        assert_eq!(
            (alone.prev, alone.next, alone.last),
            (None, None, "/m?page=1".to_owned())
        );
        let beyond = paging(9, 21).links_at("/m", "page=9");
        assert_eq!(beyond.prev.as_deref(), Some("/m?page=2"));
        assert_eq!(beyond.next, None);
    }
}
