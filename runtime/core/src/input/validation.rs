//! Every rule of a request over a body, all mistakes at once.

use std::collections::HashSet;

use formwork_data::error::{Result, ValidationErrors};
use formwork_vocabulary::inflect::words;
use serde_json::Value as Json;

use super::{
    Attribute, Input, Rule, check,
    message::Measure,
    subject::Subject,
    targets::{misshapen, targets},
};

/// How a body is to be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'r> {
    /// The attributes of the request.
    pub attributes: &'r [Attribute],
    /// Whether a record is stored, not updated.
    pub storing: bool,
    /// Whether only the sent attributes are checked: `PATCH`.
    pub partial: bool,
    /// Whether an administrator sends it.
    pub admin: bool,
    /// The owner's column, where the caller cannot choose the owner.
    pub owner: Option<&'r str>,
    /// The columns of the row that is updated: attributes that were not sent keep these values.
    pub row: Option<&'r Input>,
}

impl<'r> Reading<'r> {
    /// The attributes this caller may write, and their rules apply to.
    pub fn writable(&self) -> impl Iterator<Item = &'r Attribute> + use<'r> {
        let Self { admin, owner, .. } = *self;
        self.attributes.iter().filter(move |attribute| {
            (admin || !attribute.is_admin_only()) && owner != Some(attribute.member())
        })
    }

    /// Keeps the attributes that this caller may write and that its rules do not exclude.
    pub fn narrow(&self, input: &mut Input) {
        let excluded = self.excluded(input);
        let kept: Vec<&str> = self
            .writable()
            .map(Attribute::member)
            .filter(|member| !excluded.iter().any(|path| path == member))
            .collect();
        input.retain(|name| kept.contains(&name));
        // From the last item of a list to the first: the places of the others stay true.
        for path in excluded.iter().rev() {
            input.remove(path);
        }
    }

    /// The paths of values that a rule excludes.
    fn excluded(&self, input: &Input) -> Vec<String> {
        let mut excluded = Vec::new();
        for attribute in self.writable() {
            for (path, value) in targets(input, attribute.name()) {
                let subject = Subject {
                    attribute,
                    path: &path,
                    value,
                    input,
                    row: self.row,
                };
                let mut rules = attribute.rules(self.storing);
                if rules.any(|rule| subject.is_excluded(*rule)) {
                    excluded.push(path);
                }
            }
        }
        excluded
    }

    /// Checks every rule that needs neither the record nor the database.
    ///
    /// # Errors
    ///
    /// 500 where a rule itself makes no sense; broken rules go to `errors`.
    pub fn check(&self, input: &Input, errors: &mut ValidationErrors) -> Result<()> {
        let excluded = self.excluded(input);
        let excluded: HashSet<&str> = excluded.iter().map(String::as_str).collect();
        let within = |path: &str| is_within(path, &excluded);
        for attribute in self.writable() {
            if self.partial && !input.members().contains_key(attribute.member()) {
                self.check_kept(attribute, input, errors);
                continue;
            }
            for (path, value) in targets(input, attribute.name()) {
                if errors.is_full() {
                    return Ok(());
                }
                let subject = Subject {
                    attribute,
                    path: &path,
                    value,
                    input,
                    row: self.row,
                };
                if !within(&path) {
                    self.check_value(&subject, errors)?;
                }
            }
        }
        self.check_shapes(input, &within, errors);
        Ok(())
    }

    /// Checks an attribute that keeps its value against the sent ones: only the rules that name one
    /// of these.
    fn check_kept(&self, attribute: &Attribute, input: &Input, errors: &mut ValidationErrors) {
        let path = attribute.name();
        let Some(kept) = self.row.filter(|row| row.has(path)) else {
            return;
        };
        let subject = Subject {
            attribute,
            path,
            value: None,
            input,
            row: Some(kept),
        };
        let broken = |rule: &Rule| match rule {
            Rule::Same(_) => subject.differs(*rule),
            rule => subject.misses(*rule),
        };
        let mut rules = attribute.rules(self.storing);
        let broken = rules.find(|rule| rule.names_any(&|name| input.has(name)) && broken(rule));
        if let Some(rule) = broken {
            errors.add(path, subject.message(*rule, Measure::Text));
        }
    }

    /// A value whose members have rules must be an object: otherwise no rule would check it.
    fn check_shapes(
        &self,
        input: &Input,
        excluded: &dyn Fn(&str) -> bool,
        errors: &mut ValidationErrors,
    ) {
        for attribute in self.writable() {
            for path in misshapen(input, attribute.name()) {
                if !errors.has(&path) && !excluded(&path) {
                    let message = format!("The {} field must be an object.", words(&path));
                    errors.add(path, message);
                }
            }
        }
    }

    fn check_value(&self, subject: &Subject<'_>, errors: &mut ValidationErrors) -> Result<()> {
        let rules = subject.attribute.rules(self.storing);
        let has = |wanted: Rule| rules.clone().any(|rule| *rule == wanted);
        if has(Rule::Sometimes) && subject.value.is_none() {
            return Ok(());
        }
        let missed = |rule: &Rule| rule.demands() && subject.misses(*rule);
        let missing = rules.clone().copied().find(missed);
        if let Some(rule) = missing.or_else(|| subject.empties().then_some(Rule::Required)) {
            let message = subject.message(rule, Measure::Text);
            errors.add(subject.path, message);
            return Ok(());
        }
        // Null for an attribute takes its default (docs/contract.md, "Values"); an item of a list has none.
        let item = subject.attribute.name().ends_with(".*") && !has(Rule::Nullable);
        match subject.value {
            Some(value) if item || !value.is_null() => self.check_rules(subject, value, errors),
            _ => Ok(()),
        }
    }

    fn check_rules(
        &self,
        subject: &Subject<'_>,
        value: &Json,
        errors: &mut ValidationErrors,
    ) -> Result<()> {
        let path = subject.path;
        // Databases end a text at U+0000 in some places and not in others.
        if value.as_str().is_some_and(|text| text.contains('\0')) {
            let name = words(path);
            errors.add(path, format!("The {name} field must not contain U+0000."));
            return Ok(());
        }
        let rules = subject.attribute.rules(self.storing);
        let measure = check::measure(rules.clone(), value);
        let mut mistyped = false;
        for rule in rules {
            // The size of a value with the wrong type is not checked.
            if (mistyped && rule.measures()) || subject.keeps(value, *rule, measure)? {
                continue;
            }
            mistyped |= rule.kind().is_some();
            errors.add(path, subject.message(*rule, measure));
        }
        Ok(())
    }
}

/// Levels that are looked at above a path. Keys of an object may hold dots, and make it as long as
/// the body.
const LEVELS: usize = 16;

/// Whether a path is one of these, or below one.
fn is_within(path: &str, outer: &HashSet<&str>) -> bool {
    if outer.is_empty() {
        return false;
    }
    let dots = path.match_indices('.').map(|(at, _)| at).take(LEVELS);
    dots.chain([path.len()])
        .any(|end| outer.contains(&path[..end]))
}

#[cfg(test)]
mod tests;
