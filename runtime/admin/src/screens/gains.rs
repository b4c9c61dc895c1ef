//! Changes that let more people read or write rows than before, in words of a shop.

use std::collections::BTreeSet;

use data_encoding::HEXLOWER;
use formwork_core::{
    action::{Action, Allow},
    registry::Entry,
};
use sha2::{Digest, Sha256};

use super::action::ShownAction;

/// The callers that a context admits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Person {
    /// Without a token: so everyone may become one.
    Guest,
    Customer,
    Administrator,
}

/// The rows of a resource.
#[derive(Debug)]
struct Rows {
    /// Their name: `menu options`.
    noun: String,
    /// Whether they belong to customers.
    are_owned: bool,
    /// Whether they are the customers' accounts.
    are_accounts: bool,
}

/// The access that people gain by a change, one sentence each; empty where no one gains any.
pub(super) fn sentences(
    entry: &Entry,
    before: &[ShownAction],
    after: &[ShownAction],
) -> Vec<String> {
    let rows = &Rows::of(entry);
    let mut seen = BTreeSet::new();
    let gains = after.iter().flat_map(|it| {
        let earlier = before.iter().find(|earlier| earlier.name == it.name);
        let people = gained(earlier.map_or(&[], let_in), let_in(it));
        let action = Action::named(it.name);
        let action = action.filter(|action| *action != Action::Create);
        people
            .into_iter()
            .filter_map(move |person| Some(rows.sentence(person, action?)))
    });
    gains.filter(|text| seen.insert(text.clone())).collect()
}

/// Returns the access that everyone has now to rows of customers, and the changes that everyone may
/// make, one sentence each.
pub(super) fn standing(entry: &Entry, actions: &[ShownAction]) -> Vec<String> {
    let rows = Rows::of(entry);
    let open = actions
        .iter()
        .filter(|it| let_in(it).contains(&Person::Guest));
    let sentence = |it: &ShownAction| {
        let action = Action::named(it.name)?;
        let reaches = !matches!(action, Action::Create | Action::Store);
        let is_warned = it.is_open || (rows.are_owned && reaches);
        let verb = is_warned.then(|| verb(action))?;
        let reached = rows.reached(Person::Guest, verb);
        Some(format!("Anyone on the internet can {verb} {reached}."))
    };
    let mut seen = BTreeSet::new();
    let sentences = open.filter_map(sentence);
    sentences.filter(|text| seen.insert(text.clone())).collect()
}

const fn verb(action: Action) -> &'static str {
    match action {
        Action::Store | Action::Create => "create",
        Action::Update => "change",
        Action::Destroy => "delete",
        Action::Index | Action::Show | Action::Edit => "read",
    }
}

/// A digest of the sentences: a form carries it, so that exactly what was read is confirmed.
pub(super) fn digest(sentences: &[String]) -> String {
    HEXLOWER.encode(&Sha256::digest(sentences.join("\n")))
}

/// The people that may use an action.
fn let_in(action: &ShownAction) -> &'static [Person] {
    use Person::{Administrator, Customer, Guest};
    match Allow::named(action.allow).filter(|_| action.is_on) {
        None => &[],
        Some(Allow::All) => &[Guest, Customer, Administrator],
        Some(Allow::Guest) => &[Guest],
        Some(Allow::Users) => &[Customer, Administrator],
        Some(Allow::Customer) => &[Customer],
        Some(Allow::Admin) => &[Administrator],
    }
}

/// The kinds of callers that a change admits. Every caller may send requests as a guest: if guests
/// were admitted before, no kind is new; if they are admitted now, only they are named.
fn gained(before: &[Person], after: &[Person]) -> Vec<Person> {
    if before.contains(&Person::Guest) {
        return Vec::new();
    }
    if after.contains(&Person::Guest) {
        return vec![Person::Guest];
    }
    let after = after.iter().copied();
    after.filter(|person| !before.contains(person)).collect()
}

impl Rows {
    fn of(entry: &Entry) -> Self {
        let owner = entry.source.owner();
        Self {
            noun: entry.key.replace(['_', '-'], " "),
            are_owned: owner.is_some(),
            are_accounts: owner == Some(entry.source.schema().key),
        }
    }

    fn sentence(&self, person: Person, action: Action) -> String {
        let who = match person {
            Person::Guest => "Anyone on the internet",
            Person::Customer => "Every customer",
            Person::Administrator => "Every administrator",
        };
        let verb = verb(action);
        format!(
            "{who} will be able to {verb} {}.",
            self.reached(person, verb)
        )
    }

    fn reached(&self, person: Person, verb: &str) -> String {
        let noun = &self.noun;
        match person {
            _ if verb == "create" => noun.clone(),
            Person::Guest if self.are_accounts => "every customer's account".to_owned(),
            Person::Guest if self.are_owned => format!("every customer's {noun}"),
            Person::Customer if self.are_accounts => "their own account".to_owned(),
            Person::Customer if self.are_owned => format!("their own {noun}"),
            Person::Customer if verb != "read" => format!("all {noun}, whoever created them"),
            _ => format!("all {noun}"),
        }
    }
}
