//! The rules that a request may hold, in Laravel's words: `use formwork::rules::*;`.

pub use formwork_core::input::rules::{
    after, after_or_equal, alpha, alpha_dash, array, before, before_or_equal, between,
    between_decimal, boolean, confirmed, custom, date, date_format, datetime, decimal, email,
    exclude_without, exists, integer, json, max, max_decimal, min, min_decimal, none_of, nullable,
    numeric, one_of, present, regex, required, required_if, required_without, same, size,
    size_decimal, sometimes, string, time, unique, url, uuid,
};
