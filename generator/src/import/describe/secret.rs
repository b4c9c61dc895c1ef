//! Columns that are hidden, because their names are those of secrets.

use heck::ToSnakeCase;

/// Words in the name of a secret, in the singular or plural.
const WORDS: &[&str] = &[
    "access_code",
    "access_key",
    "activation_code",
    "activation_key",
    "api_key",
    "auth_code",
    "auth_key",
    "backup_code",
    "confirmation_code",
    "consumer_key",
    "credential",
    "cvc",
    "cvv",
    "digest",
    "encryption_key",
    "hash",
    "login_code",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "private_key",
    "pwd",
    "recovery_code",
    "reset_code",
    "reset_key",
    "salt",
    "secret",
    "secret_key",
    "security_code",
    "session_key",
    "signing_key",
    "token",
    "verification_code",
];

/// Whether a column is a secret by its name, however that is written: `accessToken`, `api_keys`.
pub(super) fn is_secret(name: &str) -> bool {
    let words = format!("_{}_", name.to_snake_case());
    let has = |word: &str| {
        ["", "s", "es"]
            .iter()
            .any(|end| words.contains(&format!("_{word}{end}_")))
    };
    // Words that are written as one: `accesstoken`, `clientsecret`, `userpassword`.
    let ends =
        |end: &str| words.contains(&format!("{end}_")) || words.contains(&format!("{end}s_"));
    WORDS.iter().any(|word| has(word))
        || words.starts_with("_remember")
        || words.starts_with("_user_pass_")
        || words.starts_with("_pass_")
        || ["apikey", "token", "secret"].into_iter().any(ends)
        || ["password", "passwd"]
            .iter()
            .any(|part| words.contains(part))
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
