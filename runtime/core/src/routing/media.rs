//! Media types with their parameters, as `Accept` and `Content-Type` hold them (RFC 9110, sections
//! 5.6.6, 8.3.1 and 12.5.1).

use mediatype::{MediaTypeError, MediaTypeList, ReadParams};

/// A media type or range, and its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MediaType {
    /// `type/subtype`, in lower-case letters.
    pub essence: String,
    /// Names in lower-case letters, values without quotes; not `q`.
    pub parameters: Vec<(String, String)>,
    /// `q`: how much it is wanted, 0 for not at all.
    pub weight: f32,
}

impl MediaType {
    /// Reads one. A text that is not a media type gets an empty essence, which matches none.
    pub fn parse(text: &str) -> Self {
        Self::read(mediatype::MediaType::parse(text.trim()))
    }

    fn read(media: Result<mediatype::MediaType<'_>, MediaTypeError>) -> Self {
        let mut read = Self {
            essence: String::new(),
            parameters: Vec::new(),
            weight: 1.0,
        };
        let Ok(media) = media else {
            return read;
        };
        read.essence = media.essence().to_string().to_ascii_lowercase();
        for (name, value) in media.params() {
            let (name, value) = (name.as_str().to_ascii_lowercase(), value.unquoted_str());
            if name == "q" {
                read.weight = value.parse().unwrap_or(read.weight);
            } else {
                read.parameters.push((name, value.into_owned()));
            }
        }
        read
    }

    /// Whether JSON:API allows this instance of its media type: no parameters but `ext` and
    /// `profile`, and no extension, since none is supported. Profiles may be ignored.
    pub fn is_plain_json_api(&self) -> bool {
        self.parameters.iter().all(|(name, value)| {
            name == "profile" || (name == "ext" && value.split_whitespace().next().is_none())
        })
    }
}

/// The media types of a header that may list several.
pub(super) fn list(value: &str) -> impl Iterator<Item = MediaType> {
    MediaTypeList::new(value).map(MediaType::read)
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
