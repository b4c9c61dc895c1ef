//! Media types with their parameters, as they stand in `Accept` and `Content-Type` (RFC 9110,
//! sections 5.6.6, 8.3.1 and 12.5.1).

/// A media type or range, and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MediaType {
    /// `type/subtype`, in small letters.
    pub essence: String,
    /// Names in small letters, values without quotes; not `q`.
    pub parameters: Vec<(String, String)>,
    /// `q`: how much it is wanted, 0 for not at all.
    pub weight: f32,
}

impl MediaType {
    pub fn parse(text: &str) -> Self {
        let mut parts = split(text, b';');
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        let mut media = Self {
            essence,
            parameters: Vec::new(),
            weight: 1.0,
        };
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (name.trim().to_ascii_lowercase(), unquoted(value.trim()));
            if name == "q" {
                media.weight = value.parse().unwrap_or(media.weight);
            } else {
                media.parameters.push((name, value));
            }
        }
        media
    }

    /// Whether JSON:API lets this instance of its media type stand: no parameters but `ext` and
    /// `profile`, and no extension, since none is supported. Profiles may be ignored.
    pub fn is_plain_json_api(&self) -> bool {
        self.parameters.iter().all(|(name, value)| {
            name == "profile" || (name == "ext" && value.split_whitespace().next().is_none())
        })
    }
}

/// The media types of a header that may list several.
pub(super) fn list(value: &str) -> impl Iterator<Item = MediaType> {
    split(value, b',')
        .filter(|item| !item.is_empty())
        .map(MediaType::parse)
}

/// The parts between separators that do not stand inside of quotes, trimmed.
fn split(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |letter: char| {
        let separates = !quoted && letter == char::from(separator);
        if quoted && !escaped && letter == '\\' {
            escaped = true;
            return false;
        }
        if letter == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = false;
        separates
    })
    .map(str::trim)
}

fn unquoted(value: &str) -> String {
    let inner = value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'));
    match inner {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hide_separators() {
        let text = "Application/Vnd.API+json; ext=\"https://a.b/c,d;e\\\"f\" ;q=0.5, */*";
        let all: Vec<MediaType> = list(text).collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].essence, "application/vnd.api+json");
        let ext = ("ext".to_owned(), "https://a.b/c,d;e\"f".to_owned());
        assert_eq!(all[0].parameters, [ext]);
        assert_eq!((all[0].weight, all[1].weight), (0.5, 1.0));
    }

    #[test]
    fn only_profiles_leave_the_media_type_as_it_is() {
        let plain = |text: &str| MediaType::parse(text).is_plain_json_api();
        assert!(plain("application/vnd.api+json"));
        assert!(plain("application/vnd.api+json; profile=\"https://a.b/c\""));
        assert!(plain("application/vnd.api+json; ext=\"\""));
        assert!(!plain("application/vnd.api+json; ext=\"https://a.b/c\""));
        assert!(!plain("application/vnd.api+json; charset=utf-8"));
    }
}
