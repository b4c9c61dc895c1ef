//! What comments cite. Readers of the runtime's documentation have the crate `formwork`, and no page
//! of this repository; the other comments name pages that exist.

use formwork_tests::checkout;

use crate::sources;

/// The crates below `formwork`, which a project does not depend on.
const INNER: [&str; 8] = [
    "formwork_admin::",
    "formwork_core::",
    "formwork_data::",
    "formwork_metrics::",
    "formwork_oidc::",
    "formwork_openapi::",
    "formwork_redis::",
    "formwork_vocabulary::",
];

#[test]
fn doc_comments_of_the_runtime_stand_alone() {
    assert_eq!(in_runtime(leaning), Vec::<String>::new());
}

#[test]
fn doc_comments_of_the_runtime_are_more_than_a_number_or_a_name() {
    assert_eq!(in_runtime(bare), Vec::<String>::new());
    for text in ["/// 403.\npub fn a() {}", "/// `GET`.\npub fn a() {}"] {
        assert_eq!(bare(text).len(), 1, "{text}");
    }
    for doc in ["/// 403: no.", "/// A.\n///\n/// `b`.", "/// `a` or `b`."] {
        let text = format!("{doc}\npub fn a() {{}}");
        assert!(bare(&text).is_empty(), "{text}");
    }
}

#[test]
fn pages_that_comments_name_exist() {
    for folder in ["generator", "runtime", "templates", "tests"] {
        for (path, text) in sources::read(&checkout().join(folder)) {
            assert_eq!(missing(&text), Vec::<String>::new(), "{folder}/{path}");
        }
    }
}

#[test]
fn references_to_pages_that_readers_lack_are_found() {
    for line in [
        "/// Its rows (docs/contract.md).",
        "//! See docs/adr/0017.",
        "/// use formwork_core::Route;",
        "//! Every replica holds them (`settings.rs`).",
        "/// As auth/login_index.rs does.",
    ] {
        assert_eq!(leaning(line), [line]);
    }
    for line in [
        "// docs/adr/0017",
        "// settings.rs",
        "/// In src/service.rs, which `main.rs` names.",
        "/// # use formwork_core::Route;",
        "/// [`Error`](formwork_data::Error)",
    ] {
        assert!(leaning(line).is_empty(), "{line}");
    }
    let found = missing("// As http.md says, by spec 5.2 (docs/guide/none.md, docs/adr/9999).");
    assert_eq!(
        found,
        ["http.md", "docs/guide/none.md", "docs/adr/9999", "spec"]
    );
    assert!(missing("// `a.md`, docs/contract.md, docs/adr/0017").is_empty());
}

/// The lines of the runtime's sources that are found, with their files.
fn in_runtime(find: fn(&str) -> Vec<&str>) -> Vec<String> {
    let texts = sources::read(&checkout().join("runtime"));
    let sources = texts.iter().filter(|(path, _)| path.contains("src/"));
    let found = sources.flat_map(|(path, text)| {
        let lines = find(text).into_iter();
        lines.map(move |line| format!("runtime/{path}: {line}"))
    });
    found.collect()
}

/// Files of a poured project, which its readers have.
const OF_PROJECTS: [&str; 2] = ["src/service.rs", "main.rs"];

/// Lines of doc comments that name a page or a source file of this repository, or show a crate below
/// `formwork`.
fn leaning(text: &str) -> Vec<&str> {
    let docs = text.lines().map(str::trim_start);
    let docs = docs.filter(|line| line.starts_with("///") || line.starts_with("//!"));
    let leans = |line: &&str| {
        let is_hidden = line[3..].trim_start().starts_with("# ");
        let shown = line.replace("](formwork_", "](");
        let pages = ["docs/adr", "docs/contract", "docs/guide"];
        pages.iter().any(|page| line.contains(page))
            || names_source(line)
            || !is_hidden && INNER.iter().any(|name| shown.contains(name))
    };
    docs.filter(leans).collect()
}

/// Doc comments of public items whose only line is a number, or one span of code.
fn bare(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim_start);
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("#[")).collect();
    let is_doc = |line: &str| line.starts_with("///");
    let mut items = vec![""];
    items.extend(lines);
    let alone = items
        .windows(3)
        .filter(|it| !is_doc(it[0]) && it[2].starts_with("pub "));
    alone.map(|it| it[1]).filter(|doc| is_bare(doc)).collect()
}

fn is_bare(doc: &str) -> bool {
    let Some(words) = doc.strip_prefix("/// ") else {
        return false;
    };
    let words = words.trim_end_matches('.');
    let span = words.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
    span.is_some_and(|span| !span.contains('`')) || words.bytes().all(|it| it.is_ascii_digit())
}

/// Whether a line names a source file that is none of a project's.
fn names_source(line: &str) -> bool {
    let is_of_path = |letter: char| letter.is_ascii_alphanumeric() || "/_.*".contains(letter);
    let mut words = line.split(|letter| !is_of_path(letter));
    words.any(|word| {
        let word = word.trim_end_matches('.');
        word.ends_with(".rs") && !OF_PROJECTS.contains(&word)
    })
}

/// Pages that comments cite and the repository lacks. A name in backticks or quotes is that of any
/// project's file.
fn missing(text: &str) -> Vec<String> {
    let comments = text.lines().map(str::trim_start);
    let comments: Vec<&str> = comments.filter(|line| line.starts_with("//")).collect();
    let words = comments
        .iter()
        .flat_map(|line| line.split([' ', '(', ')', ',', ';', ':']));
    let words = words.map(|word| word.trim_end_matches('.'));
    let cited = words.filter(|word| word.ends_with(".md") || word.starts_with("docs/adr/"));
    let cited = cited.filter(|word| !word.contains(['`', '"', '*']) && !exists(word));
    let mut missing: Vec<String> = cited.map(str::to_owned).collect();
    let is_spec = |line: &&&str| {
        let after = line.split("spec ").nth(1);
        after.is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
    };
    missing.extend(comments.iter().filter(is_spec).map(|_| "spec".to_owned()));
    missing
}

/// Whether a page is in the repository; a decision may be named by its number.
fn exists(page: &str) -> bool {
    let path = checkout().join(page);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return false;
    };
    let mut names = folder.read_dir().into_iter().flatten().flatten();
    let name = name.to_string_lossy();
    let begins = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&*name);
    path.exists() || page.starts_with("docs/adr/") && names.any(begins)
}
