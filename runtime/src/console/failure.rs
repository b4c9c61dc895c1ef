//! Why a command failed.

use formwork_data::error::Error;

/// What the console prints of an error. It may show details that clients may not see.
pub(super) fn message(error: &Error) -> String {
    match error {
        Error::Validation(errors) => {
            let messages = errors.iter().flat_map(|(_, messages)| messages).cloned();
            messages.collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}
