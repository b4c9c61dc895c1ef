//! Scalars as YAML.

use super::yaml;

/// A scalar as YAML, in quotes where it would be read as something else.
pub fn scalar(text: &str) -> String {
    let is_same = |node: yaml::Node| match node.value {
        yaml::Value::Mapping(pairs, _) => pairs
            .first()
            .is_some_and(|(_, value)| value.as_text() == Some(text) && value.as_bool().is_none()),
        _ => false,
    };
    // In `[ ]` and as a key, too.
    let special = text.contains([',', '[', ']', '{', '}', '#']) && !text.contains(' ');
    if !special && yaml::parse(format!("k: {text}\n").as_bytes()).is_ok_and(is_same) {
        return text.to_owned();
    }
    // JSON's strings are YAML's.
    serde_json::Value::String(text.to_owned()).to_string()
}
