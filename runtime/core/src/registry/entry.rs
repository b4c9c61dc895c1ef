//! Entries of the registry: resources and supporting models.

use formwork_data::{
    error::{Error, Result},
    model::Schema,
};

use super::grants::Grants;
use crate::{
    action::{Action, ActionEntry, Allow},
    auth::{Account, Caller},
    input::Attribute,
    permission,
    resource::{ApiResource, Controller, SupportingModel},
    source::Source,
};

/// A registered resource or model.
pub struct Entry {
    /// The key relations name it by.
    pub key: &'static str,
    /// How its rows are read and shown.
    #[doc(hidden)]
    pub source: Box<dyn Source>,
    /// Its endpoint; none: a supporting model.
    pub resource: Option<Resource>,
}

/// A record that is ready to be registered.
pub struct Registered(pub(super) Entry);

impl From<ApiResource> for Registered {
    fn from(record: ApiResource) -> Self {
        Self(Entry::resource(record))
    }
}

impl From<SupportingModel> for Registered {
    fn from(model: SupportingModel) -> Self {
        Self(Entry::supporting(model))
    }
}

/// The endpoint of a registered resource.
pub struct Resource {
    /// Its name for people.
    pub name: &'static str,
    /// Its description, in a sentence.
    pub description: &'static str,
    /// The controller that answers for the resource.
    pub controller: Box<dyn Controller>,
    /// The actions that are registered and configured.
    registered: Vec<ActionEntry>,
    /// The actions that are on, and the context of each.
    grants: Grants,
}

impl Resource {
    /// The context of this action; `None` where it is not registered, not configured, or switched
    /// off. Do not keep it: the admin area changes it while the service runs.
    pub fn allow(&self, action: Action) -> Option<Allow> {
        self.grants.allow(action)
    }

    /// The actions that are on, in the order of [`Action::ALL`].
    pub fn enabled(&self) -> impl Iterator<Item = ActionEntry> + '_ {
        let on = |action| {
            let allow = self.allow(action)?;
            Some(ActionEntry { action, allow })
        };
        Action::ALL.into_iter().filter_map(on)
    }

    /// The actions that are registered and configured, as their record has them: what can be on.
    pub fn registered(&self) -> &[ActionEntry] {
        &self.registered
    }

    /// Switches on what is among these and registered; `None`: all, as registered.
    pub(super) fn grant(&self, entries: Option<&[ActionEntry]>) -> bool {
        let Some(entries) = entries else {
            return self.grants.set(&self.registered);
        };
        let known = |entry: &&ActionEntry| {
            let mut registered = self.registered.iter();
            registered.any(|it| it.action == entry.action)
        };
        let granted: Vec<_> = entries.iter().filter(known).copied().collect();
        self.grants.set(&granted)
    }
}

impl Entry {
    fn resource(record: ApiResource) -> Self {
        let listed = record.controller.actions();
        let enabled = |entry: &&ActionEntry| listed.contains(&entry.action);
        let registered: Vec<_> = record.actions.iter().filter(enabled).copied().collect();
        Self {
            key: record.key,
            source: record.controller.source(),
            resource: Some(Resource {
                name: record.name,
                description: record.description,
                controller: record.controller,
                grants: Grants::of(&registered),
                registered,
            }),
        }
    }

    fn supporting(model: SupportingModel) -> Self {
        Self {
            key: model.key,
            source: model.source,
            resource: None,
        }
    }

    /// The columns of its rows, and the rules that bodies keep which write them.
    pub(crate) fn columns_and_rules(&self) -> (&'static Schema, &'static [Attribute]) {
        let attributes = self.resource.as_ref();
        let attributes = attributes.map_or(&[][..], |it| it.controller.attributes());
        (self.source.schema(), attributes)
    }

    /// The actions that its record names more than once: one context would have to be guessed.
    pub(super) fn twice(&self) -> impl Iterator<Item = Action> + '_ {
        let registered = self.resource.iter().map(Resource::registered);
        Action::ALL.into_iter().filter(move |action| {
            let entries = registered.clone().flatten();
            entries.filter(|entry| entry.action == *action).count() > 1
        })
    }

    /// Warnings where these actions are on; see [`Registry::doubts`](super::Registry::doubts).
    pub fn doubts(&self, on: impl Iterator<Item = ActionEntry>) -> Vec<String> {
        let Some(owner) = self.source.owner() else {
            return Vec::new();
        };
        let open = |it: &ActionEntry| {
            let rows = !matches!(it.action, Action::Create | Action::Store);
            rows && matches!(it.allow, Allow::All | Allow::Guest)
        };
        let told = |it: ActionEntry| {
            format!(
                "guests reach the rows of every `{owner}` by `{}` of `{}`: with the context \
                 `users`, customers reach only their own",
                it.action.name(),
                self.key
            )
        };
        on.filter(open).map(told).collect()
    }

    /// Lets a caller include these records in another resource if it may list or show them.
    /// `include` is the requested path, for the message.
    ///
    /// # Errors
    ///
    /// 403 where the caller passes neither the index nor the show context, or its token does not
    /// cover the resource's abilities.
    pub fn check_included(&self, caller: &Caller, include: &str) -> Result<()> {
        let seen = [Action::Index, Action::Show]
            .into_iter()
            .any(|action| self.answers(caller, action));
        if self.resource.is_none() || seen {
            Ok(())
        } else {
            Err(Error::ForbiddenInclude(include.to_owned()))
        }
    }

    /// The permission that an administrator needs for an action.
    pub(crate) fn permission(&self, action: Action) -> String {
        permission::of_resource(self.key, action.reads())
    }

    /// Whether this is an administrator without the permission for an action, who is served as a guest.
    /// Models without routes of their own need none.
    pub(crate) fn restricts(&self, caller: &Caller, action: Action) -> bool {
        let needs = self.resource.is_some() && caller.is_admin();
        needs && caller.lacks(Some(&self.permission(action)))
    }

    /// Whether a route does an action for this caller: it is on, and its context and abilities let
    /// the caller pass.
    pub fn answers(&self, caller: &Caller, action: Action) -> bool {
        self.resource.as_ref().is_some_and(|resource| {
            let abilities = resource.controller.required_abilities();
            let restricted = self.restricts(caller, action);
            let passes = |it| caller.passes(it) && (it == Allow::All || !restricted);
            let permitted = resource.allow(action).is_some_and(passes);
            let covered = |account: &Account| account.abilities.cover(abilities, action);
            permitted && caller.account().is_none_or(covered)
        })
    }
}
