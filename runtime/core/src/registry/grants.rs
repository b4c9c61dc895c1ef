//! The contexts of actions as they are now: the registration, changed by the decisions of
//! administrators.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::action::{Action, ActionEntry, Allow};

/// The enabled actions of a resource and their contexts, three bits each: every request reads them,
/// without waiting or allocating.
#[derive(Debug)]
pub(super) struct Grants(AtomicU32);

/// The bits of an action's context: its place in [`Allow::ALL`], counted from 1; 0: it is off.
const BITS: u32 = 3;

impl Grants {
    /// These actions are on.
    pub fn of(entries: &[ActionEntry]) -> Self {
        Self(AtomicU32::new(packed(entries)))
    }

    /// Switches on exactly these actions. True if that is a change.
    pub fn set(&self, entries: &[ActionEntry]) -> bool {
        let bits = packed(entries);
        self.0.swap(bits, Ordering::Relaxed) != bits
    }

    /// The context of this action; `None` where it is off.
    pub fn allow(&self, action: Action) -> Option<Allow> {
        let code = self.0.load(Ordering::Relaxed) >> place(action) & ((1 << BITS) - 1);
        let at = usize::try_from(code).ok()?.checked_sub(1)?;
        Allow::ALL.get(at).copied()
    }
}

fn packed(entries: &[ActionEntry]) -> u32 {
    let bits = |entry: &ActionEntry| {
        let at = Allow::ALL.iter().position(|allow| *allow == entry.allow);
        let code = at.and_then(|at| u32::try_from(at + 1).ok());
        code.unwrap_or_default() << place(entry.action)
    };
    entries.iter().map(bits).fold(0, |all, bits| all | bits)
}

/// Where the bits of an action begin.
const fn place(action: Action) -> u32 {
    action as u32 * BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_keeps_every_context_to_itself() {
        for action in Action::ALL {
            for allow in Allow::ALL {
                let grants = Grants::of(&[ActionEntry { action, allow }]);
                for other in Action::ALL {
                    let expected = (other == action).then_some(allow);
                    assert_eq!(grants.allow(other), expected, "{action:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn set_grants_replace_the_former_ones() {
        let grants = Grants::of(crate::actions!["index", "destroy:admin"]);
        assert!(grants.set(crate::actions!["index:users", "show"]));
        assert!(!grants.set(crate::actions!["show", "index:users"]));
        assert_eq!(grants.allow(Action::Index), Some(Allow::Users));
        assert_eq!(grants.allow(Action::Show), Some(Allow::All));
        assert_eq!(grants.allow(Action::Destroy), None);
    }
}
