//! Reading a query string by what a repository allows.

use std::collections::HashSet;

use formwork_data::error::{Error, Result};

use super::{
    ColumnFilter, Direction, FieldsParam, FilterOp, FilterValue, KeysetParams, NamedFilter, Pairs,
    Params, QueryRules, did_you_mean, filter_value::EMPTY, grammar::Grammar, include, page,
    pairs::Pair, part::Part, sort,
};
use crate::rendering::type_attribute;

impl Params {
    /// Reads the query string of an action, by what its repository allows.
    ///
    /// # Errors
    ///
    /// 400 naming the first parameter that is unknown, forbidden, or has no sensible value.
    #[doc(hidden)]
    pub fn read(
        query: &str,
        rules: &QueryRules,
        grammar: impl FnOnce() -> Grammar,
    ) -> Result<Self> {
        if query.is_empty() {
            return Ok(Self {
                page: rules.first_page(),
                ..Self::default()
            });
        }
        let mut grammar = grammar();
        grammar.type_attribute = rules.resource.map(type_attribute);
        read(query, rules, &grammar)
    }
}

impl QueryRules {
    fn first_page(&self) -> Option<super::PageParams> {
        self.page_sizes
            .map(|(default, _)| page::page(None, None, default))
    }
}

const SENT_TWICE: &str = "The parameter was sent twice.";

/// The parameters while pairs are read.
#[derive(Default)]
struct GatheredParams {
    params: Params,
    number: Option<u64>,
    size: Option<u32>,
    seen: HashSet<String>,
    /// Named filters that came item by item.
    lists: HashSet<&'static str>,
    /// Values of all filters.
    values: usize,
}

fn read(query: &str, rules: &QueryRules, grammar: &Grammar) -> Result<Params> {
    let mut gathered = GatheredParams::default();
    for pair in Pairs::read(query).0 {
        pair.check()?;
        gathered.once(&pair.name, grammar)?;
        if pair.value.contains('\0') {
            // No stored text contains U+0000, and it would end a pattern.
            let message = "The value must not contain U+0000.";
            return Err(Error::bad_parameter(&pair.name, message));
        }
        match rules.page_sizes {
            Some((_, largest)) => gathered.list_parameter(&pair, rules, grammar, largest)?,
            None => gathered.record_parameter(&pair, rules, grammar)?,
        }
    }
    let GatheredParams {
        mut params,
        number,
        size,
        ..
    } = gathered;
    if let (Some(keyset), Some(_)) = (&params.keyset, number) {
        let message = "Send a page number or a cursor, not both.";
        return Err(Error::bad_parameter(keyset.direction.parameter(), message));
    }
    params.page = rules
        .page_sizes
        .map(|(default, _)| page::page(number, size, default));
    Ok(params)
}

impl GatheredParams {
    /// One meaning, one value: the two names of the page, of its size, of a named filter are the same. A column `sort`
    /// is filtered by beside the parameter `sort`.
    fn once(&mut self, name: &str, grammar: &Grammar) -> Result<()> {
        let meaning = match name {
            "page[number]" => "page",
            "page[size]" => "pageLimit",
            "page[before]" => "page[after]",
            // The items of a list come one by one.
            name if name.ends_with("[]") => return Ok(()),
            name => match member(name, "filter") {
                Some((inner, None)) if inner == "search" || grammar.named.contains(&inner) => inner,
                _ => name,
            },
        };
        if self.seen.insert(meaning.to_owned()) {
            return Ok(());
        }
        let message = match meaning {
            "page[after]" => "Send one cursor only.",
            _ => SENT_TWICE,
        };
        Err(Error::bad_parameter(name, message))
    }

    /// Each value is bound, and twice where the rows are counted with the page: together they stay
    /// below every database's limit.
    fn count_values(&mut self, pair: &Pair<'_>) -> Result<()> {
        self.values += pair.value.split(',').count();
        if self.values > MOST_VALUES {
            let message = format!("All filters together have at most {MOST_VALUES} values.");
            return Err(Error::bad_parameter(&pair.name, message));
        }
        Ok(())
    }

    fn list_parameter(
        &mut self,
        pair: &Pair<'_>,
        rules: &QueryRules,
        grammar: &Grammar,
        largest: u32,
    ) -> Result<()> {
        let Pair { name, value, .. } = pair;
        match name.as_str() {
            "page" | "page[number]" => self.number = Some(page::number(name, value)?),
            "pageLimit" | "page[size]" => self.size = Some(page::size(name, value, largest)?),
            "page[after]" => self.keyset(Direction::After, value),
            "page[before]" => self.keyset(Direction::Before, value),
            "sort" | "sort[]" => self.sort(pair, grammar)?,
            "search" | "filter[search]" => self.search(pair, grammar)?,
            other => match (grammar.filter_named(other), member(other, "filter")) {
                (Some((name, part)), _) => self.named(pair, name, part)?,
                (None, Some(path)) => self.filter(pair, path, grammar)?,
                (None, None) => self.record_parameter(pair, rules, grammar)?,
            },
        }
        Ok(())
    }

    fn record_parameter(
        &mut self,
        pair: &Pair<'_>,
        rules: &QueryRules,
        grammar: &Grammar,
    ) -> Result<()> {
        match pair.name.as_str() {
            "include" => {
                self.params.include = include::read(&pair.value)?;
                self.params.asks_includes = true;
            }
            "exclude" => {
                let paths = include::paths("exclude", &pair.value)?;
                self.params.exclude = paths.into_iter().map(str::to_owned).collect();
            }
            name => {
                if let Some((kind, None)) = member(name, "fields") {
                    let fields = FieldsParam::read(name, kind, &pair.value)?;
                    self.params.fields.push(fields);
                    return Ok(());
                }
                return Err(unknown(name, grammar, rules));
            }
        }
        Ok(())
    }

    /// Of a column that is named twice the first counts.
    fn sort(&mut self, pair: &Pair<'_>, grammar: &Grammar) -> Result<()> {
        for key in sort::read(&pair.name, &pair.value, grammar)? {
            if self
                .params
                .sort
                .iter()
                .all(|known| known.column != key.column)
            {
                self.params.sort.push(key);
            }
        }
        Ok(())
    }

    fn keyset(&mut self, direction: Direction, cursor: &str) {
        let cursor = cursor.to_owned();
        self.params.keyset = Some(KeysetParams { direction, cursor });
    }

    fn search(&mut self, pair: &Pair<'_>, grammar: &Grammar) -> Result<()> {
        if !grammar.search {
            let message = "This resource cannot be searched.";
            return Err(Error::bad_parameter(&pair.name, message));
        }
        let words = pair.value.split_whitespace();
        self.params.search = words.map(str::to_owned).collect();
        let length = self.params.search.iter().map(String::len).max();
        if self.params.search.len() > MOST_WORDS || length > Some(LONGEST_WORD) {
            let message = format!(
                "A search has at most {MOST_WORDS} words, of at most {LONGEST_WORD} bytes each."
            );
            return Err(Error::bad_parameter(&pair.name, message));
        }
        Ok(())
    }

    fn named(&mut self, pair: &Pair<'_>, name: &'static str, part: Part<'_>) -> Result<()> {
        self.count_values(pair)?;
        let value = FilterValue::new(&pair.name, &pair.value);
        if value.text().is_empty() {
            return Err(value.refused(EMPTY));
        }
        let begins = part == Part::Item && self.lists.insert(name);
        let mut sent = self.params.named.iter_mut();
        let sent = sent.find(|sent| sent.name == name && sent.member.as_deref() == part.member());
        match sent {
            None => self.params.named.push(NamedFilter {
                parameter: pair.name.clone(),
                name: name.to_owned(),
                member: part.member().map(str::to_owned),
                value: pair.value.clone(),
            }),
            Some(list) if part == Part::Item && !begins => {
                list.value.push(',');
                list.value.push_str(&pair.value);
            }
            Some(_) => return Err(Error::bad_parameter(&pair.name, SENT_TWICE)),
        }
        Ok(())
    }

    fn filter(
        &mut self,
        pair: &Pair<'_>,
        (attribute, op): (&str, Option<&str>),
        grammar: &Grammar,
    ) -> Result<()> {
        if let Some(name) = grammar.named.iter().find(|name| **name == attribute) {
            let part = op.map_or(Part::Whole, Part::inside);
            return self.named(pair, name, part);
        }
        let column = grammar.column(attribute, grammar.filter).ok_or_else(|| {
            let known = grammar
                .filter
                .iter()
                .chain(&grammar.named)
                .copied()
                .chain(["id"]);
            let hint = did_you_mean(attribute, known);
            let message = format!("`{attribute}` cannot be filtered by.{hint}");
            Error::bad_parameter(&pair.name, message)
        })?;
        let op = op.map_or(Ok(FilterOp::Eq), |word| operator(&pair.name, word))?;
        if op == FilterOp::In {
            self.count_values(pair)?;
        }
        let (parameter, value) = (pair.name.clone(), pair.value.clone());
        self.params.filters.push(ColumnFilter {
            parameter,
            column,
            op,
            value,
        });
        Ok(())
    }
}

/// A parameter that is not known, or is a family and names no member.
fn unknown(name: &str, grammar: &Grammar, rules: &QueryRules) -> Error {
    let known = |family: &str| grammar.parameters(rules).any(|known| known == family);
    let message = match name {
        "filter" if known(name) => {
            "The parameter has to name an attribute: `filter[<attribute>]`.".to_owned()
        }
        "fields" => "The parameter has to name a resource: `fields[<resource>]`.".to_owned(),
        _ => {
            let hint = did_you_mean(name, grammar.parameters(rules));
            format!("The parameter `{name}` is unknown.{hint}")
        }
    };
    Error::bad_parameter(name, message)
}

/// Most values of all filters of a request together. A statement binds each value twice, and the limits of
/// all databases are above 20,000.
const MOST_VALUES: usize = 10_000;

/// Words of a search: each is a condition for every column. So many cost less than twice a search for one.
const MOST_WORDS: usize = 10;

/// Bytes of a word, or of a pattern: well below every database's limit.
const LONGEST_WORD: usize = 1000;

/// The operators of `filter[attribute][op]`, in the order in which messages list them.
const OPERATORS: [(&str, FilterOp); 9] = [
    ("eq", FilterOp::Eq),
    ("ne", FilterOp::Ne),
    ("lt", FilterOp::Lt),
    ("lte", FilterOp::Lte),
    ("gt", FilterOp::Gt),
    ("gte", FilterOp::Gte),
    ("in", FilterOp::In),
    ("like", FilterOp::Like),
    ("null", FilterOp::Null),
];

/// Names that other services have for some of them.
const ABROAD: [(&str, &str); 4] = [("le", "lte"), ("ge", "gte"), ("neq", "ne"), ("not", "ne")];

fn operator(parameter: &str, word: &str) -> Result<FilterOp> {
    OPERATORS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, op)| *op)
        .ok_or_else(|| {
            let known = OPERATORS.iter().map(|(name, _)| *name);
            let hint = match ABROAD.iter().find(|(other, _)| *other == word) {
                Some((_, own)) => did_you_mean(own, [*own]),
                None => did_you_mean(word, known),
            };
            Error::bad_parameter(
                parameter,
                format!("`{word}` is not a filter operator.{hint}"),
            )
        })
}

/// The parts of `family[attribute]` or `family[attribute][op]`; the second may be empty.
fn member<'n>(name: &'n str, family: &str) -> Option<(&'n str, Option<&'n str>)> {
    let inner = name
        .strip_prefix(family)?
        .strip_prefix('[')?
        .strip_suffix(']')?;
    let (attribute, op) = match inner.split_once("][") {
        Some((attribute, op)) => (attribute, Some(op)),
        None => (inner, None),
    };
    let plain = |part: &str| !part.contains(['[', ']']);
    let known = !attribute.is_empty() && plain(attribute) && op.is_none_or(plain);
    known.then_some((attribute, op))
}
