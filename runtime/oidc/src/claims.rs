//! The claims of an issuer about the caller.

use formwork_core::auth::Abilities;
use formwork_data::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// The claims of a token whose signature, issuer, audience and times are verified:
/// `ctx.claims::<OidcClaims>()`.
#[derive(Debug, Clone)]
pub struct OidcClaims(Map<String, Json>);

impl OidcClaims {
    pub(crate) fn new(claims: Map<String, Json>) -> Self {
        Self(claims)
    }

    /// `sub`: the issuer's key of the account, which it never gives to another one.
    pub fn subject(&self) -> &str {
        self.text("sub").unwrap_or_default()
    }

    /// `email`, whether the issuer verified it or not.
    pub fn email(&self) -> Option<&str> {
        self.text("email")
    }

    /// `email`, if the issuer says by `email_verified` that it belongs to the account.
    pub fn verified_email(&self) -> Option<&str> {
        // Some issuers write the truth as a text.
        let verified = match self.get("email_verified")? {
            Json::Bool(verified) => *verified,
            other => other == "true",
        };
        self.email().filter(|_| verified)
    }

    /// `name`: the account's name for people.
    pub fn name(&self) -> Option<&str> {
        self.text("name")
    }

    /// A claim by its name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// The claims as a type of one's own.
    ///
    /// # Errors
    ///
    /// 401 where the claims do not have this form.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        let claims = Json::Object(self.0.clone());
        serde_json::from_value(claims)
            .map_err(|error| Error::unauthenticated(format!("The token's claims: {error}.")))
    }

    /// `scope` (RFC 8693, section 4.2) or `scp`, as other issuers call it; `None` where the token has
    /// neither. Words that are not abilities, such as addresses, are left out.
    pub(crate) fn abilities(&self) -> Option<Abilities> {
        let scope = self.get("scope").or_else(|| self.get("scp"));
        let scope = scope.filter(|scope| !scope.is_null())?;
        let words: Vec<&str> = match scope {
            Json::Array(words) => words.iter().filter_map(Json::as_str).collect(),
            scope => scope.as_str().unwrap_or_default().split(' ').collect(),
        };
        let abilities = words
            .into_iter()
            .filter(|word| Abilities::parse([*word]).is_ok());
        Abilities::parse(abilities).ok()
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(claims: Json) -> OidcClaims {
        OidcClaims::new(claims.as_object().cloned().expect("an object"))
    }

    #[test]
    fn scopes_are_abilities() {
        let list = |scope: Json| {
            let abilities = claims(scope).abilities();
            abilities.map(|abilities| abilities.list().to_vec())
        };
        assert_eq!(
            list(json!({"scope": "openid orders.read https://x/y menus:*"})),
            Some(
                ["openid", "orders:read", "menus:*"]
                    .map(str::to_owned)
                    .to_vec()
            )
        );
        assert_eq!(list(json!({"scp": ["*"]})), Some(vec!["*".to_owned()]));
        assert_eq!(list(json!({"scope": ""})), Some(Vec::new()));
        assert_eq!(list(json!({"scope": 7})), Some(Vec::new()));
        assert_eq!(list(json!({})), None);
        assert_eq!(list(json!({"scope": null})), None);
    }

    #[test]
    fn an_address_is_verified_only_where_the_issuer_says_so() {
        let email = |verified: Json| {
            let claims = claims(json!({"email": "a@example.com", "email_verified": verified}));
            claims.verified_email().map(str::to_owned)
        };
        assert_eq!(email(json!(true)).as_deref(), Some("a@example.com"));
        assert_eq!(email(json!("true")).as_deref(), Some("a@example.com"));
        for not in [json!(false), json!("false"), json!(null), json!(1)] {
            assert_eq!(email(not), None);
        }
        assert_eq!(
            claims(json!({"email": "a@example.com"})).verified_email(),
            None
        );
    }
}
