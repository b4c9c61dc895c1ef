//! Helpers of tests over HTTP: requests as lines of text, statements, and requests at the same time.

use formwork::{
    prelude::{Json, Value},
    testing::{Answer, Client, Service},
};

pub const JSON: &str = "application/json";
pub const JSON_API: &str = "application/vnd.api+json";

/// Checks the status of a response, and returns it.
pub trait Expect {
    fn expect(self, status: u16) -> Self;
}

impl Expect for Answer {
    #[track_caller]
    fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self}");
        self
    }
}

/// Callers of [`check_as`], by their names.
pub type Callers<'c, 's> = [(&'c str, &'c Client<'s>)];

/// Sends a request for each line as `guest`, `customer` or `admin`; see [`check_as`].
#[track_caller]
pub fn check(service: &Service, lines: &str) -> Answer {
    check_as(service, &[], lines)
}

/// Sends a request for each line, compares the responses, and returns the last one.
///
/// A line is `caller METHOD path [@header=value …] [body] => status [part value …]`. A part is a JSON
/// pointer, the name of a header with a colon, or `~` for a text that the body contains. Its value is
/// JSON: `null` if there is no such part. The caller is one of these, or `guest`, `customer` or `admin`.
#[track_caller]
pub fn check_as(service: &Service, callers: &Callers<'_, '_>, lines: &str) -> Answer {
    let mut last = None;
    for line in lines.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let (request, expected) = line.split_once("=> ").expect("a request => a response");
        let answer = send(service, callers, request);
        compare(&answer, expected, line);
        last = Some(answer);
    }
    last.expect("a line")
}

/// Sends the request of a line: what stands before its `=>`.
pub fn send(service: &Service, callers: &Callers<'_, '_>, mut line: &str) -> Answer {
    let caller = word(&mut line);
    let named = callers.iter().find(|(name, _)| *name == caller);
    let mut client = match (named, caller) {
        (Some((_, client)), _) => (*client).clone(),
        (None, "guest") => service.guest(),
        (None, "customer") => service.customer(),
        (None, "admin") => service.admin(),
        (None, _) => panic!("no caller is named {caller}"),
    };
    let (method, path) = (word(&mut line), word(&mut line));
    while let Some(header) = line.trim_start().strip_prefix('@') {
        line = header;
        let (name, value) = word(&mut line).split_once('=').expect("name=value");
        client = client.header(name, value);
    }
    let body = Some(line.trim()).filter(|body| !body.is_empty());
    client.send(method, path, body.map(str::to_owned))
}

/// Takes the next word of a line.
fn word<'l>(line: &mut &'l str) -> &'l str {
    let text = line.trim_start();
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    *line = rest;
    word
}

#[track_caller]
fn compare(answer: &Answer, mut expected: &str, line: &str) {
    let status = word(&mut expected);
    assert_eq!(answer.status.to_string(), status, "{line}\n{answer}");
    while !expected.trim().is_empty() {
        let part = word(&mut expected);
        let mut values = serde_json::Deserializer::from_str(expected).into_iter::<Json>();
        let value = values.next().and_then(Result::ok);
        let value = value.unwrap_or_else(|| panic!("no JSON at {expected} in {line}"));
        expected = &expected[values.byte_offset()..];
        let actual = match part.strip_suffix(':') {
            Some(header) => answer.header(header).map(Json::from),
            None => answer.json.pointer(part).cloned(),
        };
        match (part, value.as_str()) {
            ("~", Some(text)) => assert!(answer.body.contains(text), "{line}\n{answer}"),
            _ => assert_eq!(
                actual.unwrap_or_default(),
                value,
                "{part}: {line}\n{answer}"
            ),
        }
    }
}

/// Runs a statement, and returns how many rows it changed.
#[track_caller]
pub fn execute<const N: usize>(service: &Service, sql: &str, values: [Value; N]) -> u64 {
    let db = service.app().db();
    let changed = service.block_on(db.execute(sql.to_owned(), values));
    changed.expect("a statement")
}

/// Returns the first column of the rows of a query.
#[track_caller]
pub fn column(service: &Service, sql: &str) -> Vec<Value> {
    let rows = service.block_on(service.app().db().rows(sql.to_owned(), []));
    let rows = rows.expect("rows").into_iter();
    rows.filter_map(|row| row.into_iter().next()).collect()
}

/// Returns the number of rows of a table, or of its rows with a condition.
#[track_caller]
pub fn count(service: &Service, table: &str) -> i64 {
    let counted = column(service, &format!("SELECT COUNT(*) FROM {table}"));
    counted[0].as_int().expect("a number")
}

/// Calls a function in so many threads at the same time; the results are in the order of their numbers.
pub fn at_once<T: Send>(count: usize, call: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let call = &call;
        let threads: Vec<_> = (0..count)
            .map(|number| scope.spawn(move || call(number)))
            .collect();
        let results = threads.into_iter().map(|it| it.join().expect("no panic"));
        results.collect()
    })
}

/// Returns the number of cases of a property: `FORMWORK_TEST_CASES`, or else this default.
pub fn cases(default: u32) -> u32 {
    let number = std::env::var("FORMWORK_TEST_CASES").ok();
    number.map_or(default, |it| it.parse().expect("a number of cases"))
}

/// Returns the number of rounds of a race: a thousandth of `FORMWORK_TEST_CASES`, and at least this one.
pub fn rounds(least: u32) -> u32 {
    least.max(cases(0) / 1000)
}
