//! Columns whose name says that they hold a secret. They are hidden.

use formwork_vocabulary::inflect::singular;
use heck::ToSnakeCase;

/// Words that name a secret.
const SECRETS: &str = "apikey credential cvc cvv digest hash otp passcode passphrase passwd password pin pwd salt secret token";

/// Words that name a secret in front of `key` or `code`.
const KEYS: &str = "access activation api auth backup confirmation consumer encryption login private recovery reset \
    security session signing verification";

/// Checks whether a column is a secret by its name, however that is written: `accessToken`, `api_keys`.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_snake_case();
    let words: Vec<String> = name.split('_').map(singular).collect();
    let is_listed = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    // Words that are written as one: `accesstoken`, `clientsecret`, `userpasswordhash`.
    let is_compound = |word: &String| {
        ["apikey", "token", "secret"]
            .iter()
            .any(|end| word.ends_with(end))
            || ["password", "passwd"]
                .iter()
                .any(|part| word.contains(part))
    };
    let is_key = |pair: &[String]| is_listed("key code", &pair[1]) && is_listed(KEYS, &pair[0]);
    words
        .iter()
        .any(|word| is_listed(SECRETS, word) || is_compound(word))
        || words.windows(2).any(is_key)
        || name.starts_with("remember")
        || ["pass_", "user_pass_"]
            .iter()
            .any(|start| format!("{name}_").starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "password",
            "passwordHash",
            "password_digest",
            "encrypted_password",
            "user_pass",
            "token",
            "tokens",
            "accessToken",
            "refreshToken",
            "refreshtoken",
            "ACCESS_TOKEN",
            "remember_token",
            "rememberMe",
            "api_key",
            "apiKey",
            "apikey",
            "stripe_api_keys",
            "access_key",
            "accessKeyId",
            "client_secret",
            "clientsecret",
            "two_factor_secret",
            "two_factor_recovery_codes",
            "recovery_codes",
            "reset_code",
            "activation_code",
            "user_activation_key",
            "session_key",
            "private_key",
            "password_reset_hash",
            "otp",
            "OTPSecret",
            "salt",
            "cvv",
            "pin",
            "reset_digest",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "key",
            "keyword",
            "monkey",
            "id",
            "code",
            "promo_code",
            "post_code",
            "name",
            "email",
            "secretary",
            "tokenizer",
            "hashtag",
            "passenger_id",
            "passport_no",
            "compass",
            "pinned",
            "spin",
            "salty",
            "session_count",
            "access",
            "activation_date",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
