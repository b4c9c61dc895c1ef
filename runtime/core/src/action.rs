//! Actions of a resource: their names, their entries in a registration record, and their page limits.

pub use formwork_vocabulary::action::{Action, Allow};

/// Records on a page where neither the manifest nor the request gives a number.
pub const PAGE_LIMIT: u32 = 20;

/// Default of the largest page a client may request.
pub const MAX_PAGE_LIMIT: u32 = 100;

/// Returns the size of a page, the default and the largest.
///
/// # Panics
///
/// If a limit is 0. It is called while the program compiles, so that this is a compile error.
pub(crate) const fn page_sizes(page: u32, max: u32) -> (u32, u32) {
    assert!(
        page > 0 && max > 0,
        "a page holds at least one record: PAGE_LIMIT and MAX_PAGE_LIMIT are 1 or more"
    );
    (if page < max { page } else { max }, max)
}

/// `Ord` is not `const` yet.
pub(crate) const fn larger(left: u32, right: u32) -> u32 {
    if left > right { left } else { right }
}

/// An entry of a registration record: `<action>` or `<action>:<context>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionEntry {
    /// The action that is enabled.
    pub action: Action,
    /// The callers that may ask for it.
    pub allow: Allow,
}

impl ActionEntry {
    /// Reads `index` or `destroy:admin`; an entry without a context is for `all`.
    ///
    /// # Panics
    ///
    /// When the action or the context is unknown. [`actions!`](crate::actions) calls it while the
    /// program compiles, so that the mistake is a compile error.
    pub const fn parse(entry: &str) -> Self {
        let bytes = entry.as_bytes();
        let mut colon = 0;
        while colon < bytes.len() && bytes[colon] != b':' {
            colon += 1;
        }
        let (action, context) = bytes.split_at(colon);
        Self {
            action: parse_action(action),
            allow: parse_allow(context),
        }
    }
}

const fn parse_action(word: &[u8]) -> Action {
    let mut at = 0;
    while at < Action::ALL.len() {
        if same(word, Action::ALL[at].name().as_bytes()) {
            return Action::ALL[at];
        }
        at += 1;
    }
    panic!(
        "unknown action: an entry begins with index, create, store, show, edit, update or destroy"
    )
}

const fn parse_allow(context: &[u8]) -> Allow {
    if context.is_empty() || same(context, b":all") {
        Allow::All
    } else if same(context, b":guest") {
        Allow::Guest
    } else if same(context, b":users") {
        Allow::Users
    } else if same(context, b":customer") {
        Allow::Customer
    } else if same(context, b":admin") {
        Allow::Admin
    } else {
        panic!("unknown context: after the colon write all, guest, users, customer or admin")
    }
}

/// `==` of slices is not `const` yet.
const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The enabled actions of a registration record, checked while the program compiles:
/// `actions!["index", "show", "destroy:admin"]`.
///
/// ```
/// # use formwork_core::actions;
/// let _ = actions!["index", "destroy:admin"];
/// ```
///
/// ```compile_fail
/// # use formwork_core::actions;
/// let _ = actions!["list"];
/// ```
#[macro_export]
macro_rules! actions {
    ($($entry:literal),* $(,)?) => {
        const { &[$($crate::action::ActionEntry::parse($entry)),*] as &'static [$crate::action::ActionEntry] }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_name_action_and_context() {
        let entries = crate::actions!["index", "destroy:admin", "store:users", "show:guest"];
        assert_eq!(
            entries[0],
            ActionEntry {
                action: Action::Index,
                allow: Allow::All
            }
        );
        assert_eq!(
            entries[1],
            ActionEntry {
                action: Action::Destroy,
                allow: Allow::Admin
            }
        );
        assert_eq!(entries[2].allow, Allow::Users);
        assert_eq!(entries[3].allow, Allow::Guest);
    }

    #[test]
    #[should_panic(expected = "unknown context")]
    fn an_unknown_context_is_refused() {
        ActionEntry::parse("index:everyone");
    }

    #[test]
    #[should_panic(expected = "unknown action")]
    fn an_unknown_action_is_refused() {
        ActionEntry::parse("list");
    }

    #[test]
    fn the_default_page_size_never_exceeds_the_maximum() {
        assert_eq!(page_sizes(20, 100), (20, 100));
        assert_eq!(page_sizes(20, 10), (10, 10));
    }
}
