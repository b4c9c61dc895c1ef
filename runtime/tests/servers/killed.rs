//! A server that is killed and started again while clients store and read: each answer is right, or a
//! 503 with `Retry-After`.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use formwork::testing::{Answer, Client, Service};
use serde_json::{Value, json};

use crate::{on_each, own_server::OwnServer, service};

/// Writers, and readers of each sort.
const WRITERS: usize = 4;
const READERS: usize = 2;

/// Stored before the load, so that each dish has both.
const TAGS: &str = "INSERT INTO tags (tag_id, name) VALUES (1, 'hot'), (2, 'new')";

#[test]
fn a_killed_server_loses_nothing_that_was_acknowledged() {
    on_each(|_, server| lose_nothing(&server));
}

fn lose_nothing(server: &OwnServer) {
    let service = service(server.url(), |config| {
        config.api.rate_limit = 0;
        // Shorter than the server is away.
        config.database.acquire_timeout = Duration::from_millis(200);
    });
    // The token is issued before the server is away.
    assert_eq!(service.admin().get("/api/dishes").status, 200);
    let db = service.context().db().clone();
    service.block_on(db.execute(TAGS, [])).expect("tags");
    let load = Load::default();
    thread::scope(|scope| {
        let (load, service) = (&load, &service);
        for writer in 0..WRITERS {
            scope.spawn(move || load.store(service, writer));
        }
        let kinds = [Load::list, Load::show, Load::include];
        let readers: Vec<_> = kinds
            .repeat(READERS)
            .into_iter()
            .map(|reader| scope.spawn(move || load.read(service, reader)))
            .collect();
        for _ in 0..2 {
            load.wait_for_more();
            server.kill();
            thread::sleep(Duration::from_millis(500));
            server.run();
        }
        // It recovers without a restart of the service.
        load.wait_for_more();
        load.stop.store(true, SeqCst);
        for reader in readers {
            let right = reader.join().expect("no wrong answer");
            assert!(right > 0, "each reader had answers");
        }
    });
    load.compare(&service);
}

/// The answer to a dish that was sent.
#[derive(Clone)]
struct Sent {
    status: u16,
    slug: String,
    id: Option<i64>,
}

/// The requests that were sent, and whether they are enough.
#[derive(Default)]
struct Load {
    stop: AtomicBool,
    sent: Mutex<Vec<Sent>>,
}

impl Load {
    fn answered(&self, status: u16) -> Vec<Sent> {
        let sent = self.sent.lock().expect("no panic");
        let answered = sent.iter().filter(|it| it.status == status);
        answered.cloned().collect()
    }

    fn wait_for_more(&self) {
        let (began, enough) = (Instant::now(), self.answered(201).len() + 50);
        while self.answered(201).len() < enough {
            assert!(began.elapsed() < Duration::from_secs(120), "no answers");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stores dishes until it is told to stop.
    fn store(&self, service: &Service, writer: usize) {
        let admin = service.admin();
        for number in 0.. {
            if self.stop.load(SeqCst) {
                return;
            }
            let slug = format!("dish-{writer}-{number}");
            let body = json!({"title": "Soup", "slug": slug, "tags": [1, 2]});
            let answer = admin.post("/api/dishes", body);
            is_away(&answer);
            let (status, id) = (answer.status, answer.json["data"]["id"].as_i64());
            let sent = Sent { status, slug, id };
            self.sent.lock().expect("no panic").push(sent);
        }
    }

    /// Reads until it is told to stop; returns how many answers were right.
    fn read(&self, service: &Service, reader: fn(&Self, &Client<'_>, usize) -> bool) -> usize {
        let admin = service.admin();
        let mut right = 0;
        while !self.stop.load(SeqCst) {
            right += usize::from(reader(self, &admin, right));
        }
        right
    }

    /// A list holds all that was acknowledged before it was asked for, and is as long as its total
    /// says.
    fn list(&self, client: &Client<'_>, _: usize) -> bool {
        let acknowledged = self.answered(201).len();
        let answer = client.get("/api/dishes?sort=-id");
        if is_away(&answer) {
            return false;
        }
        let pagination = &answer.json["meta"]["pagination"];
        let number = |name: &str| pagination[name].as_u64().expect("a number");
        let total = usize::try_from(number("total")).expect("few");
        assert!(total >= acknowledged, "{total} of {acknowledged} dishes");
        let page = usize::try_from(number("per_page")).expect("few");
        assert_eq!(records(&answer).len(), total.min(page), "{answer}");
        true
    }

    /// A dish that was acknowledged is there, as it was sent.
    fn show(&self, client: &Client<'_>, number: usize) -> bool {
        let acknowledged = self.answered(201);
        // The kitchen panics where its thirteenth dish is shown.
        let shown = acknowledged.iter().filter(|it| it.id != Some(13));
        let Some(sent) = shown.cycle().nth(number * 7 % acknowledged.len().max(1)) else {
            return false;
        };
        let id = sent.id.expect("a key");
        let answer = client.get(&format!("/api/dishes/{id}?include=tags"));
        if is_away(&answer) {
            return false;
        }
        assert_eq!(answer.json["data"]["slug"], json!(sent.slug), "{answer}");
        has_its_tags(&answer.json["data"]);
        true
    }

    /// Each dish of a list has all of its tags: it was stored with them.
    fn include(&self, client: &Client<'_>, _: usize) -> bool {
        let answer = client.get("/api/dishes?include=tags,notes&sort=-id");
        if is_away(&answer) {
            return false;
        }
        records(&answer).iter().for_each(has_its_tags);
        true
    }

    /// The stored rows are the acknowledged ones, without the refused ones.
    fn compare(&self, service: &Service) {
        let sql = "SELECT slug FROM dishes";
        let rows = service.block_on(service.context().db().rows(sql, []));
        let rows = rows.expect("the dishes").into_iter().flatten();
        let mut stored: Vec<String> = rows.map(|slug| slug.to_string()).collect();
        stored.sort();
        for Sent { slug, .. } in self.answered(201) {
            assert!(stored.binary_search(&slug).is_ok(), "{slug} was lost");
        }
        let away = self.answered(503);
        assert!(!away.is_empty(), "the server was away");
        for Sent { slug, .. } in away {
            assert!(stored.binary_search(&slug).is_err(), "{slug} was refused");
        }
        // A lost answer of a commit is a 500: it may have been made.
        let unknown = self.answered(500).len();
        let all = self.sent.lock().expect("no panic");
        let known = |it: &&Sent| [201, 503].contains(&it.status);
        assert_eq!(all.iter().filter(known).count() + unknown, all.len());
        assert!(
            unknown <= 2 * WRITERS,
            "one for each writer and kill: {unknown}"
        );
    }
}

/// Whether the answer is the one of a service whose database is away, which says when to come again.
/// Reads are answered with 200 otherwise.
fn is_away(answer: &Answer) -> bool {
    if answer.status == 503 {
        assert!(answer.header("retry-after").is_some(), "{answer}");
    }
    answer.status == 503
}

fn records(answer: &Answer) -> &[Value] {
    assert_eq!(answer.status, 200, "{answer}");
    answer.json["data"].as_array().expect("a list")
}

fn has_its_tags(dish: &Value) {
    let tags = dish["tags"].as_array().expect("tags").iter();
    let mut tags: Vec<_> = tags.filter_map(|tag| tag["id"].as_i64()).collect();
    tags.sort_unstable();
    assert_eq!(tags, [1, 2], "{dish}");
}
