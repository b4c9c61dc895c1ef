//! "Relationship and related links only where the URLs answer" (docs/contract.md): every link leads
//! somewhere, and relationships have none, since there are no routes for them.

use formwork::prelude::*;

use super::{check_document, magazine, speaking, stored, with_article};

/// Every text below a member `links`, wherever it stands.
fn links(value: &Json, found: &mut Vec<String>) {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("links", Json::Object(links)) => {
                        found.extend(links.values().filter_map(Json::as_str).map(str::to_owned));
                    }
                    ("links", Json::Array(links)) => {
                        let uris = links.iter().filter_map(|link| link["uri"].as_str());
                        found.extend(uris.map(str::to_owned));
                    }
                    _ => links_of(member, found),
                }
            }
        }
        other => links_of(other, found),
    }
}

fn links_of(value: &Json, found: &mut Vec<String>) {
    match value {
        Json::Object(_) => links(value, found),
        Json::Array(items) => items.iter().for_each(|item| links(item, found)),
        _ => {}
    }
}

#[test]
fn every_link_leads_somewhere() {
    let service = magazine();
    for name in ["Ada", "Bob"] {
        stored(&service, "/api/people", json!({"name": name}));
    }
    for title in ["Puff", "Paff", "Poff", "Piff"] {
        stored(
            &service,
            "/api/articles",
            json!({"title": title, "author_id": 1}),
        );
    }
    let about = |kind: &str, id: u8| json!({"text": "good", "author_id": 2, "subject_type": kind, "subject_id": id});
    stored(&service, "/api/comments", about("articles", 1));
    stored(&service, "/api/comments", about("people", 1));
    for path in [
        "/api/articles?include=author.articles,comments.author,part,labels&sort=-title",
        "/api/articles?page[size]=1&page[number]=2",
        "/api/articles?page[size]=2&sort=title&page[after]=",
        "/api/articles/1?include=author,editor,comments.subject",
        "/api/articles/1?fields[articles]=title",
        "/api/articles/create",
        "/api/articles/1/edit",
        "/api/comments?include=subject,author",
        "/api/people/2?include=reply",
    ] {
        for json_api in [true, false] {
            let client = match json_api {
                true => speaking(service.admin()),
                false => service.admin(),
            };
            let answer = client.get(path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            // A blank record has no id yet.
            if json_api && !path.ends_with("/create") {
                check_document(&answer);
            }
            let mut found = Vec::new();
            links(&answer.json, &mut found);
            assert!(!found.is_empty() || !json_api, "{path}: {answer}");
            for link in found {
                assert_eq!(client.get(&link).status, 200, "{link} of {path}");
            }
        }
    }
}

/// The characters of a path and a query (RFC 3986, sections 3.3 and 3.4).
fn is_uri_reference(link: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte);
    link.bytes().all(legal)
}

#[test]
fn links_are_uri_references() {
    let service = magazine();
    for title in ["Puff", "Paff", "Poff"] {
        stored(&service, "/api/articles", json!({"title": title}));
    }
    for path in [
        "/api/articles?page[size]=1&page[number]=2&filter[rank][null]=1&search=f",
        "/api/articles?page[size]=1&search=a|b^{c}`\\é",
        "/api/articles?page[size]=1&page[after]=&search=100%25%5B",
        "/api/articles/1?fields[articles]=title",
        "/api/articles/create?fields[articles]=title",
        "/api/articles/1/edit?fields[articles]=title",
    ] {
        for client in [service.admin(), speaking(service.admin())] {
            let answer = client.get(path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            let mut found = Vec::new();
            links(&answer.json, &mut found);
            assert!(
                found.iter().all(|link| is_uri_reference(link)),
                "{path}: {found:?}"
            );
            if let Some(this) = answer.json["links"]["self"].as_str() {
                assert_eq!(client.get(this).json, answer.json, "{this}");
            }
        }
    }
}

#[test]
fn relationships_have_no_links_of_their_own() {
    let service = with_article();
    let client = speaking(service.admin());
    let answer = client.get("/api/articles/1?include=author,labels,comments");
    let relationships = answer.json["data"]["relationships"]
        .as_object()
        .expect("relationships");
    for (name, relationship) in relationships {
        let members: Vec<&str> = relationship
            .as_object()
            .expect("one")
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(members, ["data"], "{name}: {answer}");
    }
    for path in [
        "/api/articles/1/relationships/author",
        "/api/articles/1/author",
    ] {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
    // The target of a related link is the object's own link.
    assert_eq!(
        answer.json["included"][0]["links"]["self"], "/api/people/1",
        "{answer}"
    );
}
