use formwork_data::database::{Isolation, Synchronous};

use super::*;

fn read(yaml: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::from_sources(yaml, variables)
}

fn mistakes(yaml: &str, variables: &[(&str, &str)]) -> Vec<String> {
    read(yaml, variables)
        .expect_err("mistakes")
        .mistakes()
        .to_vec()
}

#[test]
fn an_empty_configuration_has_every_default() {
    for yaml in [
        "",
        "# a comment\n",
        "api:\n  # rate_limit: 60\ndatabase:\n",
        "api: ~\n",
    ] {
        let config = read(yaml, &[]).expect(yaml);
        assert_eq!(config.api.prefix, "/api");
        assert_eq!(config.api.rate_limit, 60);
        assert_eq!(config.api.body_limit, 1 << 20);
        assert_eq!(config.database.url, "sqlite://data/app.sqlite");
        assert_eq!(config.database.synchronous, Synchronous::Normal);
        assert_eq!(config.auth.token_lifetime, None);
        assert_eq!(config.log.format, None);
    }
}

#[test]
fn each_default_of_the_table_can_be_written_into_the_file() {
    let unset = format!("{:?}", Config::default());
    for key in formwork_vocabulary::config::value_keys() {
        let Some(default) = key.default else { continue };
        let name = key.name.to_ascii_uppercase().replace('.', "__");
        let set = read("", &[(&format!("FORMWORK_{name}"), default)]);
        assert_eq!(format!("{:?}", set.expect(key.name)), unset, "{}", key.name);
    }
}

#[test]
fn every_key_is_read_from_the_file() {
    let config = read(
        "database: { kinds: [sqlite, postgres], url: 'sqlite:///x', slow_statement: 2s, synchronous: full, \
         root_certificate: ca.pem, search_path: bistro, statement_timeout: 10s, isolation: serializable, table_prefix: fw_, \
         pool: { max: 3, min: 1, \
         acquire_timeout: 2, idle_timeout: 5m } }\n\
         server: { addr: '0.0.0.0:80', max_connections: 9, shutdown_timeout: 10s }\n\
         api: { title: Bistro, version: '2.1', prefix: /v1/, base_url: 'https://x.example/', serializer: json_api, rate_limit: 0, \
         trusted_proxies: [10.0.0.0/8], body_limit: 512KiB, request_timeout: 3s, cors: \
         { origins: [a], methods: [GET], headers: [X], credentials: true, max_age: 1h } }\n\
         auth: { customers: customers, token_lifetime: 30d, \
         authorization_header: HTTP_AUTHORIZATION }\n\
         admin: { path: /back }\nredis: { url: 'redis://x' }\nlog: { level: debug, format: json }\n",
        &[],
    )
    .expect("legal");
    assert_eq!(config.database.synchronous, Synchronous::Full);
    assert_eq!(
        (
            config.database.root_certificate.as_deref(),
            config.database.search_path.as_deref(),
            config.database.statement_timeout,
            config.database.isolation
        ),
        (
            Some("ca.pem"),
            Some("bistro"),
            Some(Duration::from_secs(10)),
            Some(Isolation::Serializable)
        )
    );
    assert_eq!(config.database.table_prefix, "fw_");
    assert_eq!((config.database.max, config.database.min), (3, 1));
    let acquire_timeout = config.database.acquire_timeout;
    assert_eq!(acquire_timeout, Duration::from_secs(2));
    let idle_timeout = config.database.idle_timeout;
    assert_eq!(idle_timeout, Some(Duration::from_secs(300)));
    assert_eq!(config.database.slow_statement, Some(Duration::from_secs(2)));
    assert_eq!(config.server.max_connections, 9);
    assert_eq!(config.server.shutdown_timeout, Duration::from_secs(10));
    assert_eq!(
        (config.api.prefix.as_str(), config.api.rate_limit),
        ("/v1", 0)
    );
    let called = (config.api.title.as_str(), config.api.version.as_str());
    assert_eq!(called, ("Bistro", "2.1"));
    assert_eq!(config.api.base_url.as_deref(), Some("https://x.example"));
    assert_eq!(config.api.serializer, SerializerKind::JsonApi);
    assert!(config.api.trusts("10.1.2.3".parse().expect("address")));
    assert!(config.api.cors.credentials);
    assert_eq!(config.auth.customers.as_deref(), Some("customers"));
    assert_eq!(
        config.auth.token_lifetime,
        Some(Duration::from_secs(2_592_000))
    );
    assert_eq!(
        config.auth.authorization_header.as_deref(),
        Some("HTTP_AUTHORIZATION")
    );
    assert_eq!(
        (config.setting("admin.path"), config.setting("redis.url")),
        (Some("/back"), Some("redis://x"))
    );
    assert_eq!(config.log.format, Some(LogFormat::Json));
}

#[test]
fn environment_variables_override_the_file_with_the_same_keys() {
    let config = read(
        "api: { rate_limit: 5 }\ndatabase: sqlite\n",
        &[
            ("FORMWORK_API__RATE_LIMIT", "7"),
            ("FORMWORK_API__CORS__ORIGINS", "https://a, https://b"),
            ("FORMWORK_DATABASE__POOL__MAX", "2"),
            ("DATABASE_URL", "sqlite://other.sqlite"),
            ("FORMWORK_AUTH__TOKEN_LIFETIME", ""),
            ("FORMWORK_ADMIN__PATH", "/back/"),
            ("FORMWORK_HOME", "/somewhere"),
            ("PATH", "/bin"),
        ],
    )
    .expect("legal");
    assert_eq!(config.api.rate_limit, 7);
    assert_eq!(config.api.cors.origins, ["https://a", "https://b"]);
    assert_eq!(
        (config.database.max, config.database.url.as_str()),
        (2, "sqlite://other.sqlite")
    );
    assert_eq!(config.setting("admin.path"), Some("/back"));
    assert_eq!(config.setting("redis.url"), None);
    assert_eq!(config.database.slow_statement, Some(Duration::from_secs(1)));
    let off = read("database: { slow_statement: 0 }", &[]).expect("legal");
    assert_eq!(off.database.slow_statement, None);
    let both = [
        ("DATABASE_URL", "sqlite://a"),
        ("FORMWORK_DATABASE__URL", "sqlite://b"),
    ];
    assert_eq!(read("", &both).expect("legal").database.url, "sqlite://b");
}

#[test]
fn unknown_keys_are_refused_with_a_suggestion() {
    let told = mistakes(
        "api: { rate_limt: 5 }\nservr: {}\nlog: { level: loud=very=, format: xml }\nredis: 5\n",
        &[
            ("FORMWORK_API__PREFX", "/x"),
            ("FORMWORK_API__RATE_LIMIT", "-1"),
        ],
    );
    let told = told.join("\n");
    for part in [
        "formwork.yaml: api.rate_limt: no such key; did you mean `api.rate_limit`?",
        "formwork.yaml: servr: no such key; did you mean `server`?",
        "formwork.yaml: redis must be a value, not a mapping",
        "FORMWORK_API__PREFX: no such key; did you mean `api.prefix`?",
    ] {
        assert!(told.contains(part), "{part}\nin\n{told}");
    }
}

#[test]
fn every_value_of_the_wrong_type_is_reported_with_its_key() {
    let told = mistakes(
        "api: { prefix: api, body_limit: much, trusted_proxies: [x], base_url: 'ftp://x' }\n\
         database: oracle\nlog: { format: xml }\nadmin: { path: back }\nredis: { url: 6379 }\n",
        &[("FORMWORK_API__RATE_LIMIT", "-1")],
    );
    assert_eq!(told.len(), 9, "{told:#?}");
    assert!(
        told.iter()
            .any(|it| it.starts_with("FORMWORK_API__RATE_LIMIT: expected a whole"))
    );
    assert!(
        told.iter()
            .any(|it| it.contains("database.kinds: expected sqlite, postgres or mysql"))
    );
}

#[test]
fn every_kind_of_database_has_to_be_known() {
    let expected = "expected sqlite, postgres or mysql, or a list of them";
    for kinds in ["[]", "oracle", "[sqlite, oracle]"] {
        let told = mistakes(&format!("database: {{ kinds: {kinds} }}"), &[]);
        assert_eq!(told, [format!("formwork.yaml: database.kinds: {expected}")]);
    }
}

#[test]
fn text_that_is_not_a_yaml_mapping_is_refused() {
    assert!(mistakes("api: [", &[])[0].starts_with("formwork.yaml: "));
    assert!(mistakes("- a\n", &[])[0].contains("not a mapping"));
    assert!(
        !mistakes("api: {}\napi: {}\n", &[]).is_empty(),
        "a key twice"
    );
}

#[test]
fn credentials_are_for_origins_with_a_name() {
    for origins in ["", "origins: ['*'],", "origins: ['https://a', '*'],"] {
        let told = mistakes(
            &format!("api: {{ cors: {{ {origins} credentials: true }} }}"),
            &[],
        );
        assert!(
            told[0].starts_with("api.cors.credentials: true needs"),
            "{told:?}"
        );
    }
    let variables = [("FORMWORK_API__CORS__CREDENTIALS", "true")];
    assert_eq!(mistakes("", &variables).len(), 1);
    let named = "api: { cors: { origins: ['https://a'] } }";
    assert!(read(named, &variables).is_ok());
}
