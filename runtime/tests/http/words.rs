//! Keys that clients choose: words, which links and `Location` lead to whatever they hold.

use formwork::{prelude::*, rules::*, testing::Service};
use serde::Serialize;

/// An extension whose records are words.
struct Dictionary;

impl Extension for Dictionary {
    fn name(&self) -> &'static str {
        "dictionary"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "words",
            name: "Words",
            description: "What people say",
            controller: Box::new(Words),
            actions: actions!["index", "show", "create", "store", "update", "destroy"],
        }]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260201000000,
            "create_words",
            "CREATE TABLE words (word TEXT_KEY NOT NULL PRIMARY KEY, meaning TEXT NOT NULL)",
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Word {
    #[serde(rename = "id")]
    word: String,
    meaning: String,
}

impl Model for Word {
    type Key = String;

    const TABLE: &'static str = "words";
    const KEY: &'static str = "word";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("word", &mut self.word)?;
        to.column("meaning", &mut self.meaning)
    }
}

struct WordRepository;

impl Repository for WordRepository {
    type Model = Word;
}

struct WordRequest;

impl ResourceRequest for WordRequest {
    type Model = Word;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("word", &[string(), max(64)]).on_store(&[required(), unique()]),
        attribute("meaning", &[string()]).on_store(&[required()]),
    ];
}

struct WordTransformer;

#[derive(Serialize)]
struct WordData<'a> {
    #[serde(flatten)]
    attributes: &'a Word,
    links: Links,
}

impl Transformer for WordTransformer {
    type Model = Word;

    fn transform<'a>(word: &'a Loaded<Word>, ctx: &'a Context) -> impl Serialize + 'a {
        WordData {
            attributes: word,
            links: ctx.links("words", &word.word),
        }
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Word>();
        to.field::<Links>("links");
    }
}

struct Words;

impl RestController for Words {
    type Model = Word;
    type Repository = WordRepository;
    type Request = WordRequest;
    type Transformer = WordTransformer;

    const ACTIONS: &'static [ActionConfig] =
        &[index(), create(), store(), show(), update(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["words:*"];

    /// A meaning may bring another word with it.
    async fn before_save(&self, _ctx: &Context, word: &mut Word) -> Result<()> {
        if let Some((_, other)) = word.meaning.split_once("see also:") {
            word.word = other.trim_start_matches(' ').to_owned();
        }
        Ok(())
    }
}

fn dictionary() -> Service {
    Service::start(vec![Box::new(Dictionary)])
}

#[test]
fn links_lead_to_every_key() {
    let service = dictionary();
    for (word, segment) in [
        ("plain-word_1", "plain-word_1"),
        ("a/b", "a%2Fb"),
        ("what? #1", "what%3F%20%231"),
        ("100%", "100%25"),
        ("Käse", "K%C3%A4se"),
    ] {
        let body = json!({"word": word, "meaning": "x"});
        let stored = service.admin().post("/api/words", body);
        assert_eq!(stored.status, 201, "{stored}");
        let place = format!("/api/words/{segment}");
        assert_eq!(stored.header("location"), Some(place.as_str()));
        let links = &stored.json["data"]["links"];
        assert_eq!(*links, json!([{"rel": "self", "uri": place}]));
        let shown = service.guest().get(&place);
        assert_eq!(shown.json["data"]["id"], word, "{shown}");
        let emptied = service.admin().patch(&place, json!({"meaning": null}));
        assert_eq!(emptied.status, 422, "{emptied}");
        let document = service.guest().header("Accept", "application/vnd.api+json");
        let document = document.get(&place);
        assert_eq!(document.json["data"]["links"]["self"], place, "{document}");
        assert_eq!(service.admin().delete(&place).status, 204);
    }
}

#[test]
fn keys_that_fit_no_path_are_refused() {
    let service = dictionary();
    for word in ["a\nb", "a\u{7f}", "a\0", "..", "."] {
        let body = json!({"word": word, "meaning": "x"});
        let answer = service.admin().post("/api/words", body);
        assert_eq!(answer.status, 422, "{word:?}: {answer}");
        assert!(answer.json["errors"]["word"].is_array(), "{answer}");
    }
    let total = &service.guest().get("/api/words").json["meta"]["pagination"]["total"];
    assert_eq!(total, 0);
}

#[test]
fn keys_set_by_a_hook_obey_the_rules_of_keys() {
    let service = dictionary();
    let admin = service.admin();
    assert_eq!(
        admin
            .post("/api/words", json!({"word": "first", "meaning": "x"}))
            .status,
        201
    );
    for word in ["a\nb", "a\u{7f}", "..", "", "create"] {
        let meaning = format!("see also: {word}");
        for (method, path) in [("POST", "/api/words"), ("PATCH", "/api/words/first")] {
            let body = json!({"word": "second", "meaning": meaning}).to_string();
            let answer = admin.send(method, path, Some(body));
            assert_eq!(answer.status, 422, "{method} {word:?}: {answer}");
            assert!(answer.json["errors"]["word"].is_array(), "{answer}");
        }
    }
    let other = json!({"word": "second", "meaning": "see also: third"});
    let stored = admin.post("/api/words", other);
    assert_eq!(
        stored.header("location"),
        Some("/api/words/third"),
        "{stored}"
    );
    let total = &service.guest().get("/api/words").json["meta"]["pagination"]["total"];
    assert_eq!(total, 2);
}

#[test]
fn media_types_with_weight_zero_are_not_sent() {
    let service = dictionary();
    let accept = |value: &str| service.guest().header("Accept", value).get("/api/words");
    let other = accept("application/json;q=0, */*");
    assert_eq!(
        other.header("content-type"),
        Some("application/vnd.api+json"),
        "{other}"
    );
    let neither = "application/json;q=0, application/vnd.api+json;q=0, */*";
    assert_eq!(accept(neither).status, 406);
}
