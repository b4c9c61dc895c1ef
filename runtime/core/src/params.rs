//! The query string of a request: page, sort, search, filters, includes.

mod did_you_mean;
mod fields;
mod filter_value;
mod grammar;
mod include;
mod keyset;
mod list;
mod page;
mod pairs;
mod part;
mod read;
mod rules;
mod sort;

pub(crate) use did_you_mean::did_you_mean;
pub use fields::FieldsParam;
pub use filter_value::FilterValue;
pub use grammar::Grammar;
pub use include::Include;
pub use include::LEVELS;
pub(crate) use keyset::says_where;
pub use keyset::{Direction, KeysetParams};
pub(crate) use page::says_which;
pub(crate) use pairs::{Pairs, linked};
pub use rules::QueryRules;
pub use sort::SortKey;

/// A query string, understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    pub(crate) page: Option<PageParams>,
    pub(crate) keyset: Option<KeysetParams>,
    pub(crate) sort: Vec<SortKey>,
    pub(crate) search: Vec<String>,
    pub(crate) filters: Vec<ColumnFilter>,
    pub(crate) named: Vec<NamedFilter>,
    pub(crate) include: Vec<Include>,
    pub(crate) exclude: Vec<String>,
    pub(crate) fields: Vec<FieldsParam>,
    pub(crate) asks_includes: bool,
}

/// Which page of a list, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageParams {
    /// The page, from 1.
    pub number: u64,
    /// Records on it.
    pub size: u32,
}

impl PageParams {
    /// Records before this page.
    pub fn offset(&self) -> u64 {
        (self.number - 1).saturating_mul(u64::from(self.size))
    }
}

/// A comparison of `filter[attribute][op]=value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterOp {
    /// `eq`, and what a filter without operator means.
    Eq,
    /// `ne`: another value.
    Ne,
    /// `lt`: a smaller value.
    Lt,
    /// `lte`: a smaller value, or this one.
    Lte,
    /// `gt`: a greater value.
    Gt,
    /// `gte`: a greater value, or this one.
    Gte,
    /// `in`: a list, separated by commas.
    In,
    /// `like`: Clients may write `%` and `_`; case-insensitive.
    Like,
    /// `null`: true asks for rows without a value, false for those with one.
    Null,
}

/// `filter[attribute][op]=value`, for an attribute the repository lists in `FILTER`.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnFilter {
    /// The parameter as the client wrote it, for messages.
    pub parameter: String,
    /// The column (the key's column where the client wrote `id`).
    pub column: &'static str,
    /// How the column is compared with the values.
    pub op: FilterOp,
    /// The value as the client wrote it.
    pub value: String,
}

/// A filter the repository names: `enabled=false`, also written `filter[enabled]=false`.
///
/// A filter of several members comes once for each: `position[latitude]=51.5`. The items of a list
/// come as one value with commas between, however the client wrote them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFilter {
    /// The parameter as the client wrote it, for messages.
    pub parameter: String,
    /// The filter's name.
    pub name: String,
    /// The member, where the filter has several.
    pub member: Option<String>,
    /// The value as the client wrote it.
    pub value: String,
}

impl Params {
    /// Page and size; the first page of 20 where the action has no pages.
    pub fn page(&self) -> PageParams {
        self.page.unwrap_or(PageParams {
            number: 1,
            size: crate::action::PAGE_LIMIT,
        })
    }

    /// Where the page begins, where the client reads by cursor.
    pub fn keyset(&self) -> Option<&KeysetParams> {
        self.keyset.as_ref()
    }

    /// The requested order, without the key that breaks ties.
    pub fn sort(&self) -> &[SortKey] {
        &self.sort
    }

    /// The words of `search`; none: no search.
    pub fn search(&self) -> &[String] {
        &self.search
    }

    /// Filters on columns.
    pub fn filters(&self) -> &[ColumnFilter] {
        &self.filters
    }

    /// Named filters the client sent; the repository's defaults apply for the others.
    pub fn named(&self) -> &[NamedFilter] {
        &self.named
    }

    /// The value of a member of a named filter (`position[latitude]`), if the client sent it.
    pub fn named_member(&self, name: &str, member: &str) -> Option<&str> {
        self.named
            .iter()
            .find(|filter| filter.name == name && filter.member.as_deref() == Some(member))
            .map(|filter| filter.value.as_str())
    }

    /// The relations to include, as a tree.
    pub fn include(&self) -> &[Include] {
        &self.include
    }

    /// Default includes that are not wanted.
    pub fn exclude(&self) -> &[String] {
        &self.exclude
    }

    /// Whether `include` was sent, be it empty.
    pub fn asks_includes(&self) -> bool {
        self.asks_includes
    }

    /// The attributes that are wanted, by type; of other types, all.
    pub fn fields(&self) -> &[FieldsParam] {
        &self.fields
    }
}
