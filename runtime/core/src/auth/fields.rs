//! Reading the fields of a token request: a value, or a message for its field.

use formwork_data::{column::Column, error::ValidationErrors};
use formwork_vocabulary::inflect::words;
use serde_json::{Map, Value as Json};

use super::{Abilities, AccountKind};

/// Longest name of a device.
const DEVICE_NAME: usize = 255;

/// Most abilities of a token: every request with it compares them.
const MOST_ABILITIES: usize = 100;

/// A field that must be there.
pub(super) fn require(value: &Option<String>, field: &str, errors: &mut ValidationErrors) {
    if value.is_none() && !errors.has(field) {
        errors.add(field, format!("The {} field is required.", words(field)));
    }
}

/// A customer is named by e-mail, an administrator by e-mail or username.
pub(super) fn require_login(
    kind: AccountKind,
    username: Option<&str>,
    email: Option<&str>,
    errors: &mut ValidationErrors,
) {
    let wrong = errors.has("email") || errors.has("username");
    match (kind, username, email) {
        (_, _, Some(email)) if !is_email(email) => {
            errors.add("email", "The email field must be a valid email address.");
        }
        (AccountKind::Customer, _, None) if !wrong => {
            errors.add("email", "The email field is required.");
        }
        (AccountKind::Admin, None, None) if !wrong => {
            errors.add(
                "username",
                "The username field is required when email is not present.",
            );
            errors.add(
                "email",
                "The email field is required when username is not present.",
            );
        }
        _ => {}
    }
}

/// A rough check of the form; the table of accounts knows whether the address exists.
fn is_email(text: &str) -> bool {
    let parts = text.rsplit_once('@');
    parts.is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
        && !text.chars().any(char::is_whitespace)
}

/// A device name has 1 to 255 characters.
pub(super) fn limit_device_name(name: Option<&str>, errors: &mut ValidationErrors) {
    if name.is_some_and(|name| name.chars().count() > DEVICE_NAME) {
        let message = "The device name field must not be greater than 255 characters.";
        errors.add("device_name", message);
    }
}

/// A boolean: `true`, `1`, `"1"`, and their opposites.
pub(super) fn boolean(
    fields: &Map<String, Json>,
    field: &str,
    errors: &mut ValidationErrors,
) -> Option<bool> {
    let sent = match fields.get(field)? {
        Json::String(text) => Json::from(text.trim()),
        other => other.clone(),
    };
    if sent.is_null() || sent == "" {
        return None;
    }
    let truth = bool::from_json(&sent);
    let mistake = |must| errors.add(field, format!("The {} field {must}.", words(field)));
    truth.map_err(mistake).ok()
}

/// A text, trimmed; an empty one counts as missing.
pub(super) fn string(
    fields: &Map<String, Json>,
    field: &str,
    errors: &mut ValidationErrors,
) -> Option<String> {
    let text = secret(fields, field, errors)?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// A text as it was sent: passwords are not trimmed.
pub(super) fn secret(
    fields: &Map<String, Json>,
    field: &str,
    errors: &mut ValidationErrors,
) -> Option<String> {
    match fields.get(field)? {
        Json::Null => None,
        Json::String(text) if text.contains('\0') => {
            let message = format!("The {} field must not contain U+0000.", words(field));
            errors.add(field, message);
            None
        }
        Json::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        _ => {
            errors.add(
                field,
                format!("The {} field must be a string.", words(field)),
            );
            None
        }
    }
}

/// The abilities; all where none are named.
pub(super) fn abilities(fields: &Map<String, Json>, errors: &mut ValidationErrors) -> Abilities {
    let words = match fields.get("abilities") {
        None | Some(Json::Null) => return Abilities::all(),
        Some(Json::Array(words)) => words,
        Some(_) => {
            errors.add("abilities", "The abilities field must be an array.");
            return Abilities::all();
        }
    };
    if words.len() > MOST_ABILITIES {
        let message =
            format!("The abilities field must not have more than {MOST_ABILITIES} items.");
        errors.add("abilities", message);
        return Abilities::all();
    }
    // A value that is not a text is read as the empty text, which is refused as an ability.
    let texts = words.iter().map(|word| word.as_str().unwrap_or_default());
    for (place, word) in texts.clone().enumerate() {
        if Abilities::parse([word]).is_err() {
            let field = format!("abilities.{place}");
            errors.add(&field, format!("The {field} field format is invalid."));
        }
    }
    Abilities::parse(texts).unwrap_or_else(|_| Abilities::all())
}
