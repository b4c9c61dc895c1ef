//! Keys that clients choose: words, which links and `Location` lead to whatever they hold.

use formwork::{prelude::*, rules::*, testing::Service};
use serde::Serialize;

use super::support::{Expect, JSON_API, check, check_as, count};

/// An extension whose records are words.
struct Dictionary;

impl Extension for Dictionary {
    fn name(&self) -> &'static str {
        "dictionary"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource! { "words" "Words" "What people say" (Words)
        ["index" "show" "create" "store" "update" "destroy"] }]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE words (word TEXT_KEY NOT NULL PRIMARY KEY, meaning TEXT NOT NULL)";
        crate::databases::migration(20260201000000, "create_words", sql)
    }
}

model! {
    Word "words" {
        #[serde(rename = "id")] key word: String,
        column meaning: String,
    }
}

impl Repository for Word {
    type Model = Self;
}

impl ResourceRequest for Word {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("word", &[string(), max(64)]).on_store(&[required(), unique()]),
        attribute("meaning", &[string()]).on_store(&[required()]),
    ];
}

#[derive(Serialize)]
struct WordData<'a> {
    #[serde(flatten)]
    attributes: &'a Word,
    links: Links,
}

impl Transformer for Word {
    type Model = Self;

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
    parts_of!(Word);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Create,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["words:*"];

    /// Sets the key that a meaning names after `see also:`.
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
        let lines = r#"
            admin POST   PATH {"word": "WORD", "meaning": "x"} => 201 location: "PATH/SEGMENT"
            guest GET    PATH/SEGMENT                  => 200 /data/id "WORD"
            guest GET    PATH/SEGMENT                  => 200 /data/links/0/uri "PATH/SEGMENT"
            json  GET    PATH/SEGMENT                  => 200 /data/links/self "PATH/SEGMENT"
            admin PATCH  PATH/SEGMENT {"meaning": null} => 422
            admin DELETE PATH/SEGMENT                  => 204"#;
        let lines = lines.replace("PATH", "/api/words").replace("WORD", word);
        let document = service.guest().header("Accept", JSON_API);
        check_as(
            &service,
            &[("json", &document)],
            &lines.replace("SEGMENT", segment),
        );
    }
}

#[test]
fn keys_that_fit_no_path_are_rejected_from_bodies_and_from_hooks() {
    let service = dictionary();
    let admin = service.admin();
    let word = |word: &str, meaning: &str| json!({"word": word, "meaning": meaning});
    admin.post("/api/words", word("first", "x")).expect(201);
    for key in ["a\nb", "a\u{7f}", "a\0", "..", ".", "", "create"] {
        let by_hook = word("second", &format!("see also: {key}"));
        let mut answers = vec![admin.post("/api/words", word(key, "x"))];
        // A text of the database has no U+0000: it is rejected as the meaning.
        if key != "a\0" {
            answers.push(admin.post("/api/words", by_hook.clone()));
            answers.push(admin.patch("/api/words/first", by_hook));
        }
        for answer in answers {
            let answer = answer.expect(422);
            assert!(answer.json["errors"]["word"].is_array(), "{key:?} {answer}");
        }
    }
    let other = admin.post("/api/words", word("second", "see also: third"));
    assert_eq!(
        other.header("location"),
        Some("/api/words/third"),
        "{other}"
    );
    assert_eq!(count(&service, "words"), 2);
}

#[test]
fn media_types_with_weight_zero_are_not_sent() {
    let lines = r#"
        guest GET /api/words @Accept=application/json;q=0,*/* => 200 content-type: "application/vnd.api+json"
        guest GET /api/words @Accept=application/json;q=0,application/vnd.api+json;q=0,*/* => 406"#;
    check(&dictionary(), lines);
}
