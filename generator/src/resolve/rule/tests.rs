//! Every rule, written rightly and wrongly.

use super::*;

fn read(text: &str) -> Result<Rule, String> {
    parse(text, "email").map_err(|(_, message, _)| message)
}

#[test]
fn every_rule_is_known() {
    let with_arguments = [
        ("min:0", Rule::Min("0".into())),
        ("max:-1.5", Rule::Max("-1.5".into())),
        ("between:2,255", Rule::Between("2".into(), "255".into())),
        ("size:3", Rule::Size("3".into())),
        ("size:1.5", Rule::Size("1.5".into())),
        ("in:a, b", Rule::In(vec!["a".into(), "b".into()])),
        (
            "in:\"a,b\" , \"say \"\"c\"\"\",5\"",
            Rule::In(vec!["a,b".into(), "say \"c\"".into(), "5\"".into()]),
        ),
        (
            "date_format:Y-m-d\\TH:i:sP",
            Rule::DateFormat("Y-m-d\\TH:i:sP".into()),
        ),
        ("regex:#^a/b$#", Rule::Regex("^a/b$".into())),
        ("regex:~^a|b{1,2}$~", Rule::Regex("^a|b{1,2}$".into())),
        ("not_in:a", Rule::NotIn(vec!["a".into()])),
        ("date_format:H:i", Rule::DateFormat("H:i".into())),
        ("regex:/^a:b,c$/i", Rule::Regex("(?i)^a:b,c$".into())),
        ("regex:^a$", Rule::Regex("^a$".into())),
        ("exists:users", Rule::Exists("users".into(), "email".into())),
        ("exists:users,id", Rule::Exists("users".into(), "id".into())),
        ("after:starts_on", Rule::After("starts_on".into())),
        ("after_or_equal:today", Rule::AfterOrEqual("today".into())),
        ("before:2030-01-31", Rule::Before("2030-01-31".into())),
        ("before_or_equal:now", Rule::BeforeOrEqual("now".into())),
        ("same:other", Rule::Same("other".into())),
        ("custom:iban", Rule::Custom("iban".into())),
        ("custom:shop.iban_2", Rule::Custom("shop.iban_2".into())),
        (
            "required_if:a,b,c",
            Rule::RequiredIf("a".into(), vec!["b".into(), "c".into()]),
        ),
        (
            "required_without:a,b",
            Rule::RequiredWithout(vec!["a".into(), "b".into()]),
        ),
        ("exclude_without:a", Rule::ExcludeWithout("a".into())),
    ];
    for (text, rule) in &with_arguments {
        assert_eq!(read(text).as_ref(), Ok(rule));
    }
    for name in rule_names() {
        let written = with_arguments
            .iter()
            .any(|(text, _)| text.split(':').next() == Some(name));
        assert!(written || read(name).is_ok(), "{name}");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    for text in [
        "min",
        "min:",
        "min:abc",
        "min:1,2",
        "between:1",
        "between:5,2",
        "required:1",
        "time:H:i",
        "regex:(",
        "regex:/a/k",
        "regex:(?=a)",
        "date_format:Q",
        "date_format:Y-m-dTH:i",
        "in:",
        "required_if:a",
        "minn:1",
        "",
        "exists:a,b,c",
        "custom",
        "custom:",
        "custom:a,b",
        "custom:Iban",
        "custom:a.b.c",
        "custom:shop.",
        "custom:iban()",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}
