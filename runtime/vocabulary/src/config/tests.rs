use super::*;

#[test]
fn a_suggested_key_may_be_in_another_section() {
    for written in ["api.rate_limt", "rate_limit", "ap.rate_limi"] {
        assert_eq!(
            meant(written).as_deref(),
            Some("api.rate_limit"),
            "{written}"
        );
    }
    assert_eq!(meant("databse").as_deref(), Some("database"));
    assert_eq!(meant("weather"), None);
}

#[test]
fn a_section_has_its_members() {
    let names = |section| members(section).map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("admin"), ["path"]);
    let database = "kinds url slow_statement synchronous root_certificate search_path \
                    statement_timeout isolation table_prefix pool";
    assert_eq!(names("database").join(" "), database);
    assert!(names("").contains(&"log") && names("log.level").is_empty());
}

#[test]
fn each_key_is_in_a_section_of_the_table() {
    for key in CONFIG_KEYS {
        let above = key.name.rsplit_once('.').map(|(above, _)| find(above));
        let is_section = |above: Option<&ConfigKey>| above.is_some_and(|key| !key.holds_value());
        assert!(above.is_none_or(is_section), "{}", key.name);
    }
}

#[test]
fn durations_and_sizes_have_units() {
    let seconds = [
        ("30", 30),
        ("30s", 30),
        ("5m", 300),
        ("12h", 43_200),
        ("30 d", 2_592_000),
    ];
    for (text, seconds) in seconds {
        assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
    }
    for text in [
        "",
        "s",
        "-1",
        "1.5h",
        "1w",
        "99999999999999999999",
        "9999999999999999999d",
    ] {
        assert_eq!(duration(text), None, "{text}");
    }
    let sizes = ["1MiB", "512KiB", "10", "1MB"].map(size);
    assert_eq!(sizes, [Some(1_048_576), Some(524_288), Some(10), None]);
}
