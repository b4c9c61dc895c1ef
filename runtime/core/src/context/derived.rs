//! Contexts made of another one: with another database handle, body, caller or action.

use std::sync::Arc;

use formwork_data::database::Db;

use super::{Context, RequestFacts};
use crate::{action::Action, auth::Caller, changes::Changing, input::Input};

impl Context {
    /// The same request with another database handle: the transaction of a change.
    #[must_use]
    pub fn with_db(&self, db: Db) -> Self {
        Self { db, ..self.clone() }
    }

    /// The same request with another body: the part of it that was validated.
    #[must_use]
    pub fn with_input(&self, input: Input) -> Self {
        Self {
            input: Arc::new(input),
            ..self.clone()
        }
    }

    /// The same request with another caller: a webhook acts for a customer, whose account
    /// [`Auth::account`](crate::auth::Auth::account) reads.
    #[must_use]
    pub fn with_caller(&self, caller: impl Into<Caller>) -> Self {
        self.with_request(RequestFacts {
            caller: caller.into(),
            ..(*self.request).clone()
        })
    }

    fn with_request(&self, request: RequestFacts) -> Self {
        Self {
            request: Arc::new(request),
            ..self.clone()
        }
    }

    /// The same request in this change of a record.
    #[must_use]
    pub(crate) fn with_change(&self, change: Changing) -> Self {
        Self {
            change: Some(change),
            ..self.clone()
        }
    }

    /// The same request with the parts of its path that have names.
    #[must_use]
    pub(crate) fn with_path_values(&self, values: Vec<(String, String)>) -> Self {
        Self {
            path_values: values.into(),
            ..self.clone()
        }
    }

    /// The same request as one for an action of a resource.
    pub(crate) fn acting(&self, action: Action, resource: Option<usize>) -> Self {
        let facts = RequestFacts {
            action: Some(action),
            resource,
            ..(*self.request).clone()
        };
        Self {
            change: None,
            ..self.with_request(facts)
        }
    }

    /// As [`Context::acting`], for an action that the client did not ask for: query string and
    /// preconditions are about another record, and an update checks what its input has.
    pub(crate) fn acting_unasked(&self, action: Action, resource: Option<usize>) -> Self {
        let acting = self.acting(action, resource);
        let facts = RequestFacts {
            query: String::new(),
            if_match: None,
            if_none_match: None,
            partial: true,
            ..(*acting.request).clone()
        };
        acting.with_request(facts)
    }

    /// Whether a hook runs: an action stores, updates or destroys a record.
    pub(crate) const fn is_in_change(&self) -> bool {
        self.change.is_some()
    }
}
