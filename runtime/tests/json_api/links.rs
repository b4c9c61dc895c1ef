//! "Relationship and related links only where the URLs answer" (docs/contract.md): every link leads
//! somewhere, and relationships have none, since there are no routes for them.

use formwork::prelude::*;

use super::{check_document, document, insert, insert_article, json_api, staffed, with_article};

/// Collects every text below a member `links`.
fn collect(value: &Json, links: &mut Vec<String>) {
    match value {
        Json::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("links", Json::Object(members)) => {
                        let uris = members.values().filter_map(Json::as_str);
                        links.extend(uris.map(str::to_owned));
                    }
                    ("links", Json::Array(items)) => {
                        let uris = items.iter().filter_map(|link| link["uri"].as_str());
                        links.extend(uris.map(str::to_owned));
                    }
                    _ => collect(member, links),
                }
            }
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, links)),
        _ => {}
    }
}

fn links(document: &Json) -> Vec<String> {
    let mut links = Vec::new();
    collect(document, &mut links);
    links
}

/// Returns whether a link consists of the characters of a path and a query (RFC 3986, sections 3.3
/// and 3.4).
fn is_uri_reference(link: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte);
    link.bytes().all(legal)
}

#[test]
fn every_link_leads_somewhere() {
    let service = staffed();
    for title in ["Puff", "Paff", "Poff", "Piff"] {
        insert_article(&service, json!({"title": title, "author_id": 1}));
    }
    for kind in ["articles", "people"] {
        let comment =
            json!({"text": "good", "author_id": 2, "subject_type": kind, "subject_id": 1});
        insert(&service, "/api/comments", comment);
    }
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
        for (is_document, client) in [(true, json_api(service.admin())), (false, service.admin())] {
            let answer = client.get(path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            // A blank record has no id yet.
            if is_document && !path.ends_with("/create") {
                check_document(&answer);
            }
            let links = links(&answer.json);
            assert!(!links.is_empty() || !is_document, "{path}: {answer}");
            for link in links {
                assert_eq!(client.get(&link).status, 200, "{link} of {path}");
            }
        }
    }
}

#[test]
fn links_are_uri_references() {
    let service = staffed();
    for title in ["Puff", "Paff", "Poff"] {
        insert_article(&service, json!({"title": title}));
    }
    for path in [
        "/api/articles?page[size]=1&page[number]=2&filter[rank][null]=1&search=f",
        "/api/articles?page[size]=1&search=a|b^{c}`\\é",
        "/api/articles?page[size]=1&page[after]=&search=100%25%5B",
        "/api/articles/1?fields[articles]=title",
        "/api/articles/create?fields[articles]=title",
        "/api/articles/1/edit?fields[articles]=title",
    ] {
        for client in [service.admin(), json_api(service.admin())] {
            let answer = client.get(path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            let links = links(&answer.json);
            assert!(
                links.iter().all(|it| is_uri_reference(it)),
                "{path}: {links:?}"
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
    let answer = document(&service, "/api/articles/1?include=author,labels,comments");
    let relationships = answer.json["data"]["relationships"].as_object();
    for (name, relationship) in relationships.expect("relationships") {
        let members = relationship.as_object().expect("an object").keys();
        assert_eq!(members.collect::<Vec<_>>(), ["data"], "{name}: {answer}");
    }
    for path in ["/relationships/author", "/author"] {
        let answer = json_api(service.admin()).get(&format!("/api/articles/1{path}"));
        assert_eq!(answer.status, 404, "{path}");
    }
    // The target of a related link is the object's own link.
    let link = &answer.json["included"][0]["links"]["self"];
    assert_eq!(link, "/api/people/1", "{answer}");
}
