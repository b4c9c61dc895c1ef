//! One rule as a manifest writes it: `min:0`, `in:a,b`, `regex:/^a+$/i`.

use formwork_vocabulary::did_you_mean::nearest;
use formwork_vocabulary::rule::{Arguments, RuleWord};

use crate::diagnostic::Code;
use crate::project::Rule;

use super::literal::is_number;
use crate::column::LONGEST_BOUND;

/// Letters of PHP's date formats that the runtime supports.
const FORMAT_LETTERS: &str = "djmnYyHGhgisAaDlMFNvuPOU";

/// Why a rule cannot be read: message and help.
type Misfit = (String, String);

/// Reads one rule of the attribute `attribute`.
///
/// # Errors
/// Code, message and help.
pub fn parse(text: &str, attribute: &str) -> Result<Rule, (Code, String, String)> {
    let (name, arguments) = match text.split_once(':') {
        Some((name, arguments)) => (name.trim(), Some(arguments)),
        None => (text.trim(), None),
    };
    let Some(word) = RuleWord::in_manifest(name) else {
        let message = format!("unknown rule `{name}`");
        return Err((Code::UnknownRule, message, similar(name, text)));
    };
    let wanted = word.arguments();
    let values = split(arguments, wanted);
    if !counts(values.len(), wanted) || values.iter().any(String::is_empty) {
        let message = format!("`{name}` takes {}", described(wanted));
        return Err((Code::RuleMisfit, message, example(word)));
    }
    build(word, values, attribute).map_err(|(message, help)| (Code::RuleMisfit, message, help))
}

fn split(arguments: Option<&str>, wanted: Arguments) -> Vec<String> {
    match (arguments, wanted) {
        (None, _) => Vec::new(),
        (Some(text), Arguments::Whole) => vec![text.to_owned()],
        (Some(text), _) => listed(text),
    }
}

/// Values with commas between; one in quotes may hold a comma, as in Laravel: `in:"a,b",c`.
fn listed(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = text.trim();
    loop {
        let (value, after) = match quoted(rest) {
            Some(found) => found,
            None => match rest.split_once(',') {
                Some((value, after)) => (value.trim().to_owned(), Some(after)),
                None => (rest.trim().to_owned(), None),
            },
        };
        values.push(value);
        match after {
            Some(after) => rest = after.trim(),
            None => return values,
        }
    }
}

/// A value in quotes, and what follows its comma; two quotes are one.
fn quoted(text: &str) -> Option<(String, Option<&str>)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = inner.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' if letters.next_if(|(_, next)| *next == '"').is_some() => value.push('"'),
            '"' => {
                let after = inner[at + 1..].trim_start();
                return match after.strip_prefix(',') {
                    Some(after) => Some((value, Some(after))),
                    None => after.is_empty().then_some((value, None)),
                };
            }
            letter => value.push(letter),
        }
    }
    None
}

fn counts(count: usize, wanted: Arguments) -> bool {
    match wanted {
        Arguments::None => count == 0,
        Arguments::Whole => count == 1,
        Arguments::Exactly(exact) => count == exact,
        Arguments::OneOrTwo => (1..=2).contains(&count),
        Arguments::AtLeast(least) => count >= least,
    }
}

fn described(wanted: Arguments) -> String {
    match wanted {
        Arguments::None => "no arguments".to_owned(),
        Arguments::Whole | Arguments::Exactly(1) => "one argument".to_owned(),
        Arguments::Exactly(count) => format!("{count} arguments, separated by a comma"),
        Arguments::OneOrTwo => "a table and a column".to_owned(),
        Arguments::AtLeast(1) => "one or more arguments".to_owned(),
        Arguments::AtLeast(least) => format!("{least} or more arguments"),
    }
}

/// How a rule is written rightly.
fn example(word: RuleWord) -> String {
    let arguments = match word {
        RuleWord::Min | RuleWord::Max | RuleWord::Size => "3",
        RuleWord::Between => "2,255",
        RuleWord::In | RuleWord::NotIn => "one,two",
        RuleWord::DateFormat => "Y-m-d",
        RuleWord::Regex => "/^[a-z]+$/",
        RuleWord::Exists => "table,column",
        RuleWord::Same | RuleWord::ExcludeWithout | RuleWord::RequiredWithout => "other_attribute",
        RuleWord::After | RuleWord::AfterOrEqual => "other_attribute",
        RuleWord::Before | RuleWord::BeforeOrEqual => "2030-01-01",
        RuleWord::RequiredIf => "other_attribute,value",
        RuleWord::Custom => "iban",
        RuleWord::Time => return "write `time`, or a format: `date_format:H:i`".to_owned(),
        RuleWord::Date => return "write `date`, or a format: `date_format:Y-m-d`".to_owned(),
        _ => "",
    };
    format!("write `{}`", word.with_arguments(arguments))
}

/// Returns the help for an unknown rule.
fn similar(name: &str, text: &str) -> String {
    if let Some(near) = nearest(name, rule_names()) {
        return format!("did you mean `{}`?", text.replacen(name, near, 1));
    }
    if text.contains(' ') {
        return "rules are separated by `|`: `required|min:2`".to_owned();
    }
    let names: Vec<&str> = rule_names().collect();
    format!("the rules are {}", names.join(", "))
}

/// The words of the rules that a manifest may write.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    RuleWord::of_manifests().map(RuleWord::as_str)
}

fn build(word: RuleWord, values: Vec<String>, attribute: &str) -> Result<Rule, Misfit> {
    let mut values = values.into_iter();
    let mut next = || values.next().unwrap_or_default();
    Ok(match word {
        RuleWord::Min => Rule::Min(bound(word, next())?),
        RuleWord::Max => Rule::Max(bound(word, next())?),
        RuleWord::Size => Rule::Size(bound(word, next())?),
        RuleWord::Between => between(next(), next())?,
        RuleWord::DateFormat => Rule::DateFormat(date_format(next())?),
        RuleWord::Regex => Rule::Regex(pattern(&next())?),
        RuleWord::After => Rule::After(next()),
        RuleWord::AfterOrEqual => Rule::AfterOrEqual(next()),
        RuleWord::Before => Rule::Before(next()),
        RuleWord::BeforeOrEqual => Rule::BeforeOrEqual(next()),
        RuleWord::Same => Rule::Same(next()),
        RuleWord::ExcludeWithout => Rule::ExcludeWithout(next()),
        RuleWord::Custom => Rule::Custom(custom(next())?),
        RuleWord::Exists => {
            let table = next();
            let column = Some(next()).filter(|column| !column.is_empty());
            Rule::Exists(table, column.unwrap_or_else(|| attribute.to_owned()))
        }
        RuleWord::RequiredIf => Rule::RequiredIf(next(), values.collect()),
        RuleWord::RequiredWithout => Rule::RequiredWithout(values.collect()),
        RuleWord::In => Rule::In(values.collect()),
        RuleWord::NotIn => Rule::NotIn(values.collect()),
        RuleWord::Required => Rule::Required,
        RuleWord::Nullable => Rule::Nullable,
        RuleWord::Sometimes => Rule::Sometimes,
        RuleWord::Present => Rule::Present,
        RuleWord::String => Rule::String,
        RuleWord::Integer => Rule::Integer,
        RuleWord::Numeric => Rule::Numeric,
        RuleWord::Boolean => Rule::Boolean,
        RuleWord::Array => Rule::Array,
        RuleWord::Email => Rule::Email,
        RuleWord::Url => Rule::Url,
        RuleWord::Uuid => Rule::Uuid,
        RuleWord::Date => Rule::Date,
        RuleWord::Time => Rule::Time,
        RuleWord::Alpha => Rule::Alpha,
        RuleWord::AlphaDash => Rule::AlphaDash,
        RuleWord::Unique => Rule::Unique,
        RuleWord::Confirmed => Rule::Confirmed,
        RuleWord::DateTime | RuleWord::Decimal | RuleWord::Json => {
            let message = format!("`{}` comes with its type", word.as_str());
            return Err((message, "leave it out".to_owned()));
        }
    })
}

fn bound(word: RuleWord, value: String) -> Result<String, Misfit> {
    let word_text = word.as_str();
    if !is_number(&value) {
        let message = format!("`{word_text}` takes a number, not `{value}`");
        return Err((message, example(word)));
    }
    if value.bytes().filter(u8::is_ascii_digit).count() > LONGEST_BOUND {
        let message = format!("`{word_text}` takes a number of at most {LONGEST_BOUND} digits");
        return Err((message, "write fewer digits".to_owned()));
    }
    Ok(value)
}

fn between(low: String, high: String) -> Result<Rule, Misfit> {
    let low = bound(RuleWord::Between, low)?;
    let high = bound(RuleWord::Between, high)?;
    if number(&low) > number(&high) {
        let message = format!("no value lies between {low} and {high}");
        return Err((message, format!("write `between:{high},{low}`")));
    }
    Ok(Rule::Between(low, high))
}

/// The value of what [`is_number`] accepted.
pub fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// Reads the name of a rule of the project's own: `iban`, or `shop.iban`.
fn custom(name: String) -> Result<String, Misfit> {
    let word = |part: &str| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        part.starts_with(|c: char| c.is_ascii_lowercase()) && part.chars().all(letter)
    };
    let parts: Vec<&str> = name.split('.').collect();
    if parts.len() <= 2 && parts.into_iter().all(word) {
        return Ok(name);
    }
    let message = format!("`{name}` is not a name for a rule of your own");
    let help = "write `custom:iban` for a function in the request, or `custom:shop.iban` for a rule \
                that an extension registers; letters are lower-case";
    Err((message, help.to_owned()))
}

fn date_format(format: String) -> Result<String, Misfit> {
    let Some(letter) = unknown_letter(&format) else {
        return Ok(format);
    };
    let message = format!("`{letter}` is not a letter of date formats");
    let help = "write `date_format:Y-m-d` or `date_format:H:i`; write a literal letter after a \
                backslash: `Y-m-d\\TH:i`";
    Err((message, help.to_owned()))
}

/// The first letter that is not one of a format's; a letter after a backslash is literal.
fn unknown_letter(format: &str) -> Option<char> {
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter.is_alphabetic() && !FORMAT_LETTERS.contains(letter) {
            return Some(letter);
        }
    }
    None
}

/// Reads `/…/flags` as PHP writes it, or a bare pattern, as a pattern of the `regex` crate.
fn pattern(written: &str) -> Result<String, Misfit> {
    let (pattern, flags) = delimited(written).unwrap_or((written, ""));
    if let Some(flag) = flags.chars().find(|flag| !"imsxu".contains(*flag)) {
        let message = format!("the flag `{flag}` of the pattern is unknown");
        return Err((message, "the flags are i, m, s, x and u".to_owned()));
    }
    // `u` is what the crate does anyway.
    let pattern = match flags.replace('u', "").as_str() {
        "" => pattern.to_owned(),
        flags => format!("(?{flags}){pattern}"),
    };
    let Err(error) = regex::Regex::new(&pattern) else {
        return Ok(pattern);
    };
    let error = error.to_string();
    let reason = error.lines().last().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    let message = format!("the pattern of `regex` cannot be read: {reason}");
    let help = "look-around and back-references are not supported; write a pattern with `|` in a list of rules";
    Err((message, help.to_owned()))
}

/// Delimiters of PHP's patterns.
const DELIMITERS: [char; 6] = ['/', '#', '~', '@', '%', '!'];

fn delimited(written: &str) -> Option<(&str, &str)> {
    let sign = written
        .chars()
        .next()
        .filter(|sign| DELIMITERS.contains(sign))?;
    let (pattern, flags) = written[1..].rsplit_once(sign)?;
    flags
        .chars()
        .all(|c| c.is_ascii_alphabetic())
        .then_some((pattern, flags))
}

#[cfg(test)]
mod tests;
