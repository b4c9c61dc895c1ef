use formwork_data::database::{Isolation, Synchronous};

use super::*;

fn read(yaml: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables.iter();
    let variables = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::from_sources(yaml, variables)
}

fn mistakes(yaml: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let error = read(yaml, variables).expect_err("mistakes");
    error.mistakes().to_vec()
}

#[test]
fn an_empty_configuration_has_every_default() {
    let unset = format!("{:?}", Config::default());
    for yaml in [
        "",
        "# a comment\n",
        "api:\n  # rate_limit: 60\ndatabase:\n",
        "api: ~\n",
    ] {
        assert_eq!(
            format!("{:?}", read(yaml, &[]).expect(yaml)),
            unset,
            "{yaml}"
        );
    }
    let config = Config::default();
    assert_eq!(config.api.prefix, "/api");
    assert_eq!(
        (config.api.rate_limit, config.api.body_limit),
        (60, 1 << 20)
    );
    assert_eq!(config.database.url, "sqlite://data/app.sqlite");
    assert_eq!(config.database.synchronous, Synchronous::Normal);
    assert_eq!(
        (config.auth.token_lifetime, config.log.format),
        (None, None)
    );
    for key in formwork_vocabulary::config::value_keys() {
        let Some(default) = key.default else { continue };
        let name = key.name.to_ascii_uppercase().replace('.', "__");
        let set = read("", &[(&format!("FORMWORK_{name}"), default)]);
        assert_eq!(format!("{:?}", set.expect(key.name)), unset, "{}", key.name);
    }
}

#[test]
fn every_key_is_read_from_the_file() {
    let yaml = "database: { kinds: [sqlite, postgres], url: 'sqlite:///x', slow_statement: 2s, synchronous: full, \
         root_certificate: ca.pem, search_path: bistro, statement_timeout: 10s, isolation: serializable, table_prefix: fw_, \
         pool: { max: 3, min: 1, \
         acquire_timeout: 2, idle_timeout: 5m } }\n\
         server: { addr: '0.0.0.0:80', max_connections: 9, shutdown_timeout: 10s }\n\
         api: { title: Bistro, version: '2.1', prefix: /v1/, base_url: 'https://x.example/', serializer: json_api, rate_limit: 0, \
         trusted_proxies: [10.0.0.0/8], body_limit: 512KiB, request_timeout: 3s, cors: \
         { origins: [a], methods: [GET], headers: [X], credentials: true, max_age: 1h } }\n\
         auth: { customers: customers, token_lifetime: 30d, \
         authorization_header: HTTP_AUTHORIZATION }\n\
         admin: { path: /back }\nredis: { url: 'redis://x' }\nlog: { level: debug, format: json }\n";
    let config = read(yaml, &[]).expect("valid");
    let Config {
        database,
        server,
        api,
        auth,
        log,
        ..
    } = &config;
    let seconds = Duration::from_secs;
    assert_eq!(database.synchronous, Synchronous::Full);
    assert_eq!(database.isolation, Some(Isolation::Serializable));
    assert_eq!(database.root_certificate.as_deref(), Some("ca.pem"));
    assert_eq!(database.search_path.as_deref(), Some("bistro"));
    assert_eq!(database.table_prefix, "fw_");
    assert_eq!((database.max, database.min), (3, 1));
    assert_eq!(database.acquire_timeout, seconds(2));
    let timeouts = [
        database.statement_timeout,
        database.idle_timeout,
        database.slow_statement,
    ];
    assert_eq!(timeouts, [10, 300, 2].map(|it| Some(seconds(it))));
    assert_eq!(server.max_connections, 9);
    assert_eq!(server.shutdown_timeout, seconds(10));
    assert_eq!((api.prefix.as_str(), api.rate_limit), ("/v1", 0));
    assert_eq!(
        (api.title.as_str(), api.version.as_str()),
        ("Bistro", "2.1")
    );
    assert_eq!(api.base_url.as_deref(), Some("https://x.example"));
    assert_eq!(api.serializer, SerializerKind::JsonApi);
    assert!(api.trusts("10.1.2.3".parse().expect("address")));
    assert!(api.cors.credentials);
    assert_eq!(auth.customers.as_deref(), Some("customers"));
    assert_eq!(auth.token_lifetime, Some(seconds(2_592_000)));
    assert_eq!(
        auth.authorization_header.as_deref(),
        Some("HTTP_AUTHORIZATION")
    );
    assert_eq!(config.setting("admin.path"), Some("/back"));
    assert_eq!(config.setting("redis.url"), Some("redis://x"));
    assert_eq!(log.format, Some(LogFormat::Json));
}

#[test]
fn environment_variables_override_the_file_with_the_same_keys() {
    let variables = [
        ("FORMWORK_API__RATE_LIMIT", "7"),
        ("FORMWORK_API__CORS__ORIGINS", "https://a, https://b"),
        ("FORMWORK_DATABASE__POOL__MAX", "2"),
        ("DATABASE_URL", "sqlite://other.sqlite"),
        ("FORMWORK_AUTH__TOKEN_LIFETIME", ""),
        ("FORMWORK_ADMIN__PATH", "/back/"),
        ("FORMWORK_HOME", "/somewhere"),
        ("PATH", "/bin"),
    ];
    let config = read("api: { rate_limit: 5 }\ndatabase: sqlite\n", &variables).expect("valid");
    assert_eq!(config.api.rate_limit, 7);
    assert_eq!(config.api.cors.origins, ["https://a", "https://b"]);
    assert_eq!(config.database.max, 2);
    assert_eq!(config.database.url, "sqlite://other.sqlite");
    assert_eq!(config.setting("admin.path"), Some("/back"));
    assert_eq!(config.setting("redis.url"), None);
    assert_eq!(config.database.slow_statement, Some(Duration::from_secs(1)));
    let off = read("database: { slow_statement: 0 }", &[]).expect("valid");
    assert_eq!(off.database.slow_statement, None);
    let both = [
        ("DATABASE_URL", "sqlite://a"),
        ("FORMWORK_DATABASE__URL", "sqlite://b"),
    ];
    assert_eq!(read("", &both).expect("valid").database.url, "sqlite://b");
}

#[test]
fn unknown_keys_are_refused_with_a_suggestion() {
    let messages = mistakes(
        "api: { rate_limt: 5 }\nservr: {}\nlog: { level: loud=very=, format: xml }\nredis: 5\n",
        &[
            ("FORMWORK_API__PREFX", "/x"),
            ("FORMWORK_API__RATE_LIMIT", "-1"),
        ],
    );
    let messages = messages.join("\n");
    for part in [
        "formwork.yaml: api.rate_limt: no such key; did you mean `api.rate_limit`?",
        "formwork.yaml: servr: no such key; did you mean `server`?",
        "formwork.yaml: redis must be a value, not a mapping",
        "FORMWORK_API__PREFX: no such key; did you mean `api.prefix`?",
    ] {
        assert!(messages.contains(part), "{part}\nin\n{messages}");
    }
}

#[test]
fn every_value_of_the_wrong_type_is_reported_with_its_key() {
    let messages = mistakes(
        "api: { prefix: api, body_limit: much, trusted_proxies: [x], base_url: 'ftp://x' }\n\
         database: oracle\nlog: { format: xml }\nadmin: { path: back }\nredis: { url: 6379 }\n",
        &[("FORMWORK_API__RATE_LIMIT", "-1")],
    );
    assert_eq!(messages.len(), 9, "{messages:#?}");
    let start = "FORMWORK_API__RATE_LIMIT: expected a whole";
    assert!(
        messages.iter().any(|it| it.starts_with(start)),
        "{messages:#?}"
    );
    let expected = "expected sqlite, postgres or mysql, or a list of them";
    for kinds in ["[]", "oracle", "[sqlite, oracle]"] {
        let messages = mistakes(&format!("database: {{ kinds: {kinds} }}"), &[]);
        assert_eq!(
            messages,
            [format!("formwork.yaml: database.kinds: {expected}")]
        );
    }
}

#[test]
fn text_that_is_not_a_yaml_mapping_is_refused() {
    assert!(mistakes("api: [", &[])[0].starts_with("formwork.yaml: "));
    assert!(mistakes("- a\n", &[])[0].contains("not a mapping"));
    let duplicate = mistakes("api: {}\napi: {}\n", &[]);
    assert!(!duplicate.is_empty(), "a duplicate key");
}

#[test]
fn credentials_are_for_origins_with_a_name() {
    for origins in ["", "origins: ['*'],", "origins: ['https://a', '*'],"] {
        let yaml = format!("api: {{ cors: {{ {origins} credentials: true }} }}");
        let messages = mistakes(&yaml, &[]);
        let start = "api.cors.credentials: true needs";
        assert!(messages[0].starts_with(start), "{messages:?}");
    }
    let variables = [("FORMWORK_API__CORS__CREDENTIALS", "true")];
    assert_eq!(mistakes("", &variables).len(), 1);
    let named = "api: { cors: { origins: ['https://a'] } }";
    assert!(read(named, &variables).is_ok());
}

/// `Location` and links begin with it: a value that no header may have would leave `Location` out.
#[test]
fn a_base_url_is_the_beginning_of_a_url() {
    let base_url = |url: &str| read("", &[("FORMWORK_API__BASE_URL", url)]);
    for url in [
        "https://x.example/my shop",
        "https://x.example/\u{e9}",
        "https://x.example\n",
        "https://x.example/?a=b",
        "https://x.example/#a",
        "https://x.example/\"a\"",
        "https://",
        "https:///shop",
        "https:x.example",
        "ftp://x.example",
    ] {
        let messages = base_url(url).expect_err(url).to_string();
        let start = "FORMWORK_API__BASE_URL: expected an address such as https://example.com";
        assert!(messages.contains(start), "{url}: {messages}");
    }
    for url in ["http://[::1]:8000", "https://x.example/my%20shop/~a"] {
        let config = base_url(url).expect(url);
        assert_eq!(config.api.base_url.as_deref(), Some(url));
    }
}

/// The environment belongs to other programs too.
#[cfg(unix)]
#[test]
fn variables_of_others_may_be_anything() {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt};

    let bytes = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let of_others = [
        (bytes(b"BADVAR"), bytes(b"\xff")),
        (bytes(b"BAD\xff"), bytes(b"x")),
        (bytes(b"FORMWORK_TEST"), bytes(b"\xff")),
    ];
    let port = (bytes(b"FORMWORK_SERVER__ADDR"), bytes(b"[::1]:80"));
    let read = source::environment(of_others.into_iter().chain([port]));
    let port = ("FORMWORK_SERVER__ADDR", "[::1]:80");
    assert_eq!(read, Ok(vec![(port.0.to_owned(), port.1.to_owned())]));
    let names = ["FORMWORK_API__TITLE", "DATABASE_URL"];
    let ours = names.map(|name| (bytes(name.as_bytes()), bytes(b"a\xff")));
    let mistakes = names.map(|name| format!("{name}: the value is not UTF-8"));
    assert_eq!(source::environment(ours.into_iter()), Err(mistakes.into()));
}
