//! The written members of a transformer's value, and their names.

use crate::{includes::Fields, rendering::type_attribute};

/// The written members of the object that a transformer returns.
#[derive(Clone, Copy)]
pub(crate) struct Outline<'a> {
    /// The attributes that are shown.
    pub fields: &'a Fields,
    /// Names that included relations stand for.
    pub relations: &'a [&'a str],
    /// In JSON:API only: the key of the resource or supporting model.
    pub json_api: Option<&'a str>,
    /// Whether the record is not stored yet: it has neither id nor links.
    pub blank: bool,
}

/// How a member is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Write,
    /// Written under this name.
    Rename(String),
    /// The links of the object.
    Links,
    Skip,
}

impl Outline<'_> {
    /// How the member of this name is written.
    pub(crate) fn verdict(&self, name: &[u8]) -> Verdict {
        let wanted =
            !self.relations.iter().any(|taken| taken.as_bytes() == name) && self.fields.show(name);
        match (self.json_api, name) {
            (None, b"id" | b"links") if self.blank => Verdict::Skip,
            (None, b"id") => Verdict::Write,
            // The standard reserves these names (jsonapi.org, "Resource Objects").
            (Some(_), b"id") => Verdict::Skip,
            (Some(_), b"links") => Verdict::Links,
            _ if !wanted => Verdict::Skip,
            (Some(key), b"type") => Verdict::Rename(type_attribute(key)),
            _ => Verdict::Write,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_s_own_names_are_kept_free() {
        let outline = Outline {
            fields: &Fields::all(),
            relations: &["media"],
            json_api: Some("coupons"),
            blank: false,
        };
        assert_eq!(outline.verdict(b"id"), Verdict::Skip);
        assert_eq!(outline.verdict(b"links"), Verdict::Links);
        let renamed = Verdict::Rename("coupon_type".to_owned());
        assert_eq!(outline.verdict(b"type"), renamed);
        assert_eq!(outline.verdict(b"media"), Verdict::Skip);
        let data = Outline {
            json_api: None,
            ..outline
        };
        assert_eq!(data.verdict(b"type"), Verdict::Write);
        assert_eq!(data.verdict(b"links"), Verdict::Write);
        let blank = Outline {
            blank: true,
            ..data
        };
        assert_eq!(blank.verdict(b"links"), Verdict::Skip);
    }

    #[test]
    fn fieldsets_leave_the_id() {
        let outline = Outline {
            fields: &Fields::only(["name".to_owned()]),
            relations: &[],
            json_api: None,
            blank: false,
        };
        assert_eq!(outline.verdict(b"id"), Verdict::Write);
        assert_eq!(outline.verdict(b"name"), Verdict::Write);
        assert_eq!(outline.verdict(b"links"), Verdict::Skip);
    }
}
