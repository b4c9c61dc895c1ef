//! Who is let in.

/// Who is let in: the authorization context of docs/contract.md, "Who may do what".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allow {
    /// Nobody is asked.
    All,
    /// Only requests without a token.
    Guest,
    /// Any valid token.
    Users,
    /// A customer's token.
    Customer,
    /// An administrator's token.
    Admin,
}

impl Allow {
    /// Every context.
    pub const ALL: [Self; 5] = [
        Self::All,
        Self::Guest,
        Self::Users,
        Self::Customer,
        Self::Admin,
    ];

    /// The context of this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|allow| allow.name() == word)
    }

    /// The word for it in registration records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Guest => "guest",
            Self::Users => "users",
            Self::Customer => "customer",
            Self::Admin => "admin",
        }
    }
}
