//! Heads of requests that could be read in two ways, or not at all.

use serde_json::Value as Json;

use super::{kitchen, raw};

/// Status, lines of the head in lower case, and body.
fn parts(answer: &str) -> (u16, Vec<String>, Json) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let lines = head.lines().map(str::to_lowercase).collect();
    let body = serde_json::from_str(body).unwrap_or_else(|_| panic!("JSON: {answer}"));
    (status.expect("a status"), lines, body)
}

/// RFC 9112, sections 3.2 and 6.1: an ambiguous request is refused, or no further request is read
/// after it.
#[test]
fn ambiguous_requests_are_refused_or_end_the_connection() {
    let service = kitchen();
    let live = |version: &str, hosts: &str| {
        let close = "Connection: close";
        let request = format!("GET /health/live {version}\r\n{hosts}{close}\r\n\r\n");
        raw::ask(&service, &request)
    };
    for hosts in [
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nHost: b\r\n",
        "Host: a@b\r\n",
        "Host: a b\r\n",
        "Host: a/b\r\n",
    ] {
        let answer = live("HTTP/1.1", hosts);
        let (status, head, body) = parts(&answer);
        assert_eq!(
            (status, &body["status_code"]),
            (400, &Json::from(400)),
            "{hosts}"
        );
        assert!(
            head.iter().any(|line| line.starts_with("x-request-id: ")),
            "{answer}"
        );
        let document = raw::ask(
            &service,
            &format!(
                "GET /health/live HTTP/1.1\r\n{hosts}Accept: application/vnd.api+json\r\n\
                 Connection: close\r\n\r\n"
            ),
        );
        assert_eq!(
            parts(&document).2["errors"][0]["status"],
            "400",
            "{document}"
        );
    }
    for (version, hosts) in [("HTTP/1.0", ""), ("HTTP/1.1", "Host: [::1]:80\r\n")] {
        let answer = live(version, hosts);
        assert!(answer.contains(" 200 OK"), "{answer}");
    }
    for coding in ["chunked\r\nTransfer-Encoding: chunked", "gzip, chunked"] {
        let request = format!(
            "POST /api/loaves HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {coding}\r\n\
             Connection: close\r\n\r\n0\r\n\r\n"
        );
        let answer = raw::ask(&service, &request);
        assert_eq!(parts(&answer).0, 400, "{answer}");
    }
    // Both lengths, then what one of the two readers takes for another request.
    let both = "POST /api/loaves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\
                GET /api/dishes HTTP/1.1\r\nHost: x\r\n\r\n";
    let answer = raw::ask(&service, both);
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
}

#[test]
fn requests_before_a_malformed_one_are_answered() {
    let service = kitchen();
    for (count, version) in [(1, "1.1"), (5, "1.1"), (2, "1.0")] {
        let good =
            format!("GET /api/dishes HTTP/{version}\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
        let answer = raw::ask(&service, &format!("{}GET\r\n\r\n", good.repeat(count)));
        let start = format!("HTTP/{version} ");
        let answer = answer.replace("HTTP/1.1 ", &start);
        let answers: Vec<&str> = answer.split(&start).skip(1).collect();
        assert_eq!(answers.len(), count + 1, "{answer}");
        let (last, first) = answers.split_last().expect("answers");
        assert!(first.iter().all(|it| it.starts_with("200")), "{answer}");
        assert!(last.starts_with("400"), "{answer}");
    }
}
