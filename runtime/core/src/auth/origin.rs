//! The origin of a login: attempts are counted by it, and the log shows it.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

use serde_json::{Map, Value as Json};

use super::AccountKind;

/// Letters of an account's name that the log shows.
const SHOWN: usize = 128;

/// Where a login comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    address: Option<IpAddr>,
    request_id: String,
    place: &'static str,
}

/// Why a login was refused: only for the log, because clients do not see the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The fields break a rule.
    Fields,
    /// The form was not the one that was shown.
    Form,
    /// No account has this name.
    Unknown,
    /// The password is another.
    Password,
    /// The account was deactivated; the password is right.
    Inactive,
    /// Too many within a minute.
    Attempts,
}

impl Reason {
    const fn text(self) -> &'static str {
        match self {
            Self::Fields => "invalid fields",
            Self::Form => "form too old, or of another page",
            Self::Unknown => "unknown account",
            Self::Password => "wrong password",
            Self::Inactive => "inactive account",
            Self::Attempts => "too many attempts",
        }
    }
}

impl Origin {
    /// A request with this id, from this address, to `place`: the token endpoint, pages of an
    /// extension, a form that has the current password. The log has its name.
    pub fn new(
        address: Option<IpAddr>,
        request_id: impl Into<String>,
        place: &'static str,
    ) -> Self {
        Self {
            address,
            request_id: request_id.into(),
            place,
        }
    }

    /// Whether it is this machine.
    pub fn is_loopback(&self) -> bool {
        self.address.is_some_and(|address| address.is_loopback())
    }

    /// The address whose attempts are counted together; empty where it is unknown.
    pub fn subscriber(&self) -> String {
        let subscriber = self.address.map(subscriber);
        subscriber.map(|it| it.to_string()).unwrap_or_default()
    }

    /// Logs a refused login, without its password.
    pub fn refused(&self, kind: AccountKind, account: &str, reason: Reason) {
        tracing::warn!(
            request_id = self.request_id,
            client = self.client(),
            place = self.place,
            kind = kind.name(),
            account = ShownLogin(account).to_string(),
            reason = reason.text(),
            "a login was refused"
        );
    }

    /// Logs that an administrator signed in at its place.
    pub fn signed_in(&self, administrator: i64) {
        let (request_id, client) = (&self.request_id, self.client());
        tracing::info!(
            request_id,
            client,
            administrator,
            "{}: signed in",
            self.place
        );
    }

    /// The name of the place that the login is for.
    pub(super) fn place(&self) -> &'static str {
        self.place
    }

    fn client(&self) -> String {
        self.address.map(|it| it.to_string()).unwrap_or_default()
    }
}

/// The name that fields give an account, if it is a text.
pub(super) fn named(fields: &Map<String, Json>) -> &str {
    let of = |field: &str| fields.get(field).and_then(Json::as_str);
    let mut names = ["email", "username"].into_iter().filter_map(of);
    names.find(|name| !name.is_empty()).unwrap_or_default()
}

/// The login as the log shows it: escaped, so that it cannot end a line, change its direction or
/// colour a terminal, and cut to a short length.
struct ShownLogin<'a>(&'a str);

impl fmt::Display for ShownLogin<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let mut letters = self.0.chars();
        for letter in letters.by_ref().take(SHOWN) {
            match letter {
                // Each format of the log has its own way with these.
                '"' | '\'' => to.write_char(letter)?,
                _ => write!(to, "{}", letter.escape_debug())?,
            }
        }
        match letters.next() {
            Some(_) => to.write_char('…'),
            None => Ok(()),
        }
    }
}

/// The addresses of one subscriber: an IPv4 address, or a /64 of IPv6.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_bounded() {
        let shown = |name: &str| ShownLogin(name).to_string();
        for same in ["", "alice@example.com", "Jürgen O'Neill", "王 \"x\""] {
            assert_eq!(shown(same), same);
        }
        assert_eq!(
            shown("a\r\n\0\u{1b}[1m\u{202e}\u{85}\\"),
            "a\\r\\n\\0\\u{1b}[1m\\u{202e}\\u{85}\\\\"
        );
        assert_eq!(shown(&"x".repeat(128)).len(), 128);
        assert_eq!(shown(&"x".repeat(129)), format!("{}…", "x".repeat(128)));
    }
}
