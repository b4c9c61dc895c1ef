//! JSON read into a type of the project, with every mistake at once. serde ends at the first mistake:
//! it is noted, its value replaced by an empty one, and the type read again.

mod fault;
mod value;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

pub(crate) use fault::MISSING;

use value::{Notes, Typed};

/// The most mistakes of one value.
const MOST: usize = 100;

/// The mistakes in a value, by their place: `smtp.port`, `servers.0`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Mistakes {
    /// Values of another type, and missing ones.
    pub wrong: BTreeMap<String, String>,
    /// Members that the type does not have, and the ones that were probably meant.
    pub unknown: BTreeMap<String, Option<String>>,
}

/// Reads a value. A text is read as the number or boolean that the type expects, and as a list with
/// commas between: variables and query strings have texts alone.
pub(crate) fn read<T: DeserializeOwned>(value: &Json) -> (Option<T>, Mistakes) {
    let notes = Notes::default();
    let mut wrong = BTreeMap::new();
    let read = loop {
        let root = Typed {
            value: Some(value),
            place: String::new(),
            notes: &notes,
        };
        match T::deserialize(root) {
            Ok(read) => break Some(read),
            Err(fault) => {
                let place = fault.place.unwrap_or_default();
                let again = notes.replaced.borrow_mut().insert(place.clone());
                wrong.entry(place).or_insert(fault.message);
                // An empty value of this type is a mistake too.
                if !again || wrong.len() == MOST {
                    break None;
                }
            }
        }
    };
    let read = read.filter(|_| wrong.is_empty());
    let unknown = notes.unknown.into_inner();
    (read, Mistakes { wrong, unknown })
}

#[cfg(test)]
mod tests;
