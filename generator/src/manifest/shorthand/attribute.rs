//! One attribute of the shorthand: its type, rules, and what only the long form says.

use formwork_vocabulary::rule::{Arguments, RuleWord};

use crate::manifest::vocabulary::{ACCESS, TYPE_ALIASES, TYPES};
use crate::manifest::yaml;
use crate::suggestion::{did_you_mean, quoted};

/// The fault of an argument, and the suggested correction.
pub(super) type Fault = (String, Option<String>);

/// Digits and scale of amounts of money, and of a decimal that names none.
const MONEY: &str = "decimal(15,4)";

/// The words after the name, as the value of the attribute.
pub(super) fn value(rest: &str) -> Result<String, Fault> {
    let (kind, rest) = column_type(rest)?;
    let modifiers = Modifiers::read(rest)?;
    Ok(modifiers.written(&kind))
}

/// The type with its arguments, in brackets or behind a colon; and what follows.
fn column_type(rest: &str) -> Result<(String, &str), Fault> {
    let end = rest.find([':', '|', '(']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if name == "money" {
        return Ok((MONEY.to_owned(), after));
    }
    if !TYPES.contains(&name) {
        return Err(unknown_type(name));
    }
    if let Some(inner) = after.strip_prefix('(') {
        let Some((arguments, after)) = inner.split_once(')') else {
            return Err((format!("the arguments of `{name}` are not closed"), None));
        };
        return Ok((with_arguments(name, arguments), after));
    }
    let next = after.get(1..).unwrap_or_default();
    let length = next.find([':', '|']).unwrap_or(next.len());
    let (arguments, further) = next.split_at(length);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let both = |(p, s): (&str, &str)| digits(p) && digits(s);
    let taken = match name {
        "string" => digits(arguments),
        "decimal" if digits(arguments) => {
            let help =
                format!("write `decimal:{arguments},2`, digits in all, and digits after the point");
            return Err(("`decimal` takes two numbers".to_owned(), Some(help)));
        }
        "decimal" => arguments.split_once(',').is_some_and(both),
        "enum" => !arguments.is_empty(),
        _ => false,
    };
    Ok(match (taken, name) {
        (true, _) => (with_arguments(name, arguments), further),
        (false, "decimal") => (MONEY.to_owned(), after),
        (false, _) => (name.to_owned(), after),
    })
}

fn unknown_type(name: &str) -> Fault {
    let mut aliases = TYPE_ALIASES.iter();
    let alias = aliases.find(|(word, _)| word.eq_ignore_ascii_case(name));
    let help = alias.map(|(_, kind)| format!("write `{kind}`"));
    let near = || did_you_mean(name, TYPES).filter(|help| help.starts_with("did"));
    let all = || {
        format!(
            "one of {}, or `references:KEY` for a relation",
            quoted(TYPES)
        )
    };
    let help = help.or_else(near).unwrap_or_else(all);
    (format!("unknown type `{name}`"), Some(help))
}

fn with_arguments(name: &str, arguments: &str) -> String {
    let parts: Vec<&str> = arguments.split(',').map(str::trim).collect();
    let joint = if name == "enum" { ", " } else { "," };
    format!("{name}({})", parts.join(joint))
}

/// The words after the type.
#[derive(Debug, Default)]
struct Modifiers {
    /// `required`, `min:0`.
    rules: Vec<String>,
    default: Option<String>,
    access: Option<String>,
    is_indexed: bool,
    /// Whether a word still needs its argument, and takes the next word with a colon.
    is_default_last: bool,
}

impl Modifiers {
    /// `required:min=0`, `required:min:0` and `required|min:0` as `required`, `min:0`.
    fn read(rest: &str) -> Result<Self, Fault> {
        let mut read = Modifiers::default();
        for part in rest.split([':', '|']).skip(1) {
            read.take(part)?;
        }
        match read.default.as_deref() {
            Some("") => Err((
                "`default` has no value".to_owned(),
                Some("write `default=VALUE`".to_owned()),
            )),
            _ => Ok(read),
        }
    }

    fn take(&mut self, part: &str) -> Result<(), Fault> {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let is_rule = RuleWord::in_manifest(name).is_some();
        match (self.rules.last_mut(), &mut self.default) {
            // `same:email`: the next word is the argument of a rule that needs one, whatever its
            // name.
            (_, Some(default)) if self.is_default_last && default.is_empty() => {
                part.clone_into(default);
            }
            (Some(last), _) if !self.is_default_last && waits(last) => join(last, part),
            _ if is_rule => {
                self.rules.push(part.replacen('=', ":", 1));
                self.is_default_last = false;
            }
            (_, default) if name == "default" => {
                *default = Some(value.to_owned());
                self.is_default_last = true;
            }
            _ if part == "index" => self.is_indexed = true,
            _ if ACCESS.contains(&part) => self.access = Some(part.to_owned()),
            // `date_format=H:i` and `default=09:30`: the rest of an argument that holds a colon.
            (_, Some(default)) if self.is_default_last => join(default, part),
            (Some(last), _) if last.contains(':') => join(last, part),
            _ => return Err(unknown_rule(part)),
        }
        Ok(())
    }

    fn written(&self, kind: &str) -> String {
        let rules = self.rules.join("|");
        let is_short = self.default.is_none() && self.access.is_none() && !self.is_indexed;
        if is_short {
            return scalar(format!("{kind} {rules}").trim_end());
        }
        let quote = |text: &str| match text.contains([',', ' ', '|', ':']) {
            true => serde_json::Value::String(text.to_owned()).to_string(),
            false => scalar(text),
        };
        let mut fields = vec![format!("type: {}", quote(kind))];
        fields.extend((!rules.is_empty()).then(|| format!("rules: {}", quote(&rules))));
        let default = self.default.as_deref();
        fields.extend(default.map(|text| format!("default: {}", literal(kind, text))));
        fields.extend(self.access.iter().map(|access| format!("access: {access}")));
        fields.extend(self.is_indexed.then(|| "index: true".to_owned()));
        format!("{{ {} }}", fields.join(", "))
    }
}

/// Numbers and booleans are not quoted.
fn literal(kind: &str, text: &str) -> String {
    let kind = kind.split('(').next().unwrap_or_default();
    let is_plain = match kind {
        "boolean" => ["true", "false"].contains(&text),
        "integer" | "bigint" | "float" | "decimal" => text.parse::<f64>().is_ok(),
        _ => false,
    };
    match is_plain {
        true => text.to_owned(),
        false => serde_json::Value::String(text.to_owned()).to_string(),
    }
}

/// A scalar as YAML, in quotes where it would be read as something else.
pub(in crate::manifest) fn scalar(text: &str) -> String {
    let is_same = |node: yaml::Node| match node.value {
        yaml::Value::Mapping(pairs, _) => pairs
            .first()
            .is_some_and(|(_, value)| value.as_text() == Some(text) && value.as_bool().is_none()),
        _ => false,
    };
    // In `[ ]` and as a key, too.
    let special = text.contains([',', '[', ']', '{', '}', '#']) && !text.contains(' ');
    if !special && yaml::parse(format!("k: {text}\n").as_bytes()).is_ok_and(is_same) {
        return text.to_owned();
    }
    // JSON's strings are YAML's.
    serde_json::Value::String(text.to_owned()).to_string()
}

fn join(to: &mut String, part: &str) {
    to.push(':');
    to.push_str(part);
}

fn waits(rule: &str) -> bool {
    RuleWord::in_manifest(rule).is_some_and(|rule| rule.arguments() != Arguments::None)
}

fn unknown_rule(part: &str) -> Fault {
    let words = RuleWord::of_manifests().map(RuleWord::as_str);
    let words: Vec<&str> = words.chain(["default", "index"]).collect();
    let name = part.split('=').next().unwrap_or_default();
    let help = match name {
        "" => Some("write `required` or another rule, or leave the `:` out".to_owned()),
        "access" => Some(format!("write its word alone: {}", quoted(ACCESS))),
        _ => did_you_mean(name, &words),
    };
    let message = match part.is_empty() {
        true => "a rule is missing behind a `:`".to_owned(),
        false => format!("unknown rule `{part}`"),
    };
    (message, help)
}
