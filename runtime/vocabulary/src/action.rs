//! The default actions of a resource, and the contexts that say who may call them.

/// An action of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `GET /<resource>`: a page of records.
    Index,
    /// `GET /<resource>/create`: a blank record and its form.
    Create,
    /// `POST /<resource>`: a new record.
    Store,
    /// `GET /<resource>/<id>`: one record.
    Show,
    /// `GET /<resource>/<id>/edit`: one record and its form.
    Edit,
    /// `PUT` and `PATCH /<resource>/<id>`: a changed record.
    Update,
    /// `DELETE /<resource>/<id>`: a deleted record.
    Destroy,
}

impl Action {
    /// Every action, in the order in which descriptions and messages list them.
    pub const ALL: [Self; 7] = [
        Self::Index,
        Self::Create,
        Self::Store,
        Self::Show,
        Self::Edit,
        Self::Update,
        Self::Destroy,
    ];

    /// The word for it in manifests, records and abilities.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Create => "create",
            Self::Store => "store",
            Self::Show => "show",
            Self::Edit => "edit",
            Self::Update => "update",
            Self::Destroy => "destroy",
        }
    }

    /// The action of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == word)
    }

    /// Whether it only reads: the actions that the ability `<resource>:read` covers.
    #[must_use]
    pub const fn reads(self) -> bool {
        matches!(self, Self::Index | Self::Show | Self::Create | Self::Edit)
    }
}

/// The authorization context of an action: the callers that may use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allow {
    /// Every caller may, with or without a token.
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
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|allow| allow.name() == word)
    }

    /// The word for it in registration records.
    #[must_use]
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
