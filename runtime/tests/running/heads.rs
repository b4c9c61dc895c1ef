//! Heads of requests that could be read in two ways, or not at all.

use super::{kitchen, raw};

/// RFC 9112, sections 3.2 and 6.1: an ambiguous request is rejected, or no further request is read
/// after it.
#[test]
fn ambiguous_requests_are_rejected_or_end_the_connection() {
    let service = kitchen();
    let ask = |head: &str| {
        let request = format!("{head}\r\nConnection: close\r\n\r\n0\r\n\r\n");
        raw::ask(&service, &request)
    };
    for hosts in ["", "a|a", "a|b", "a@b", "a b", "a/b"] {
        let hosts = hosts.split('|').filter(|host| !host.is_empty());
        let hosts: String = hosts.map(|host| format!("\r\nHost: {host}")).collect();
        let data = ask(&format!("GET /health/live HTTP/1.1{hosts}"));
        let accept = "\r\nAccept: application/vnd.api+json";
        let document = ask(&format!("GET /health/live HTTP/1.1{hosts}{accept}"));
        let is_rejected = |answer: &str, body: &str| {
            let has_id = answer.to_lowercase().contains("\r\nx-request-id: ");
            has_id && answer.starts_with("HTTP/1.1 400") && answer.contains(body)
        };
        assert!(is_rejected(&data, "\"status_code\":400"), "{hosts} {data}");
        assert!(
            is_rejected(&document, "\"status\":\"400\""),
            "{hosts} {document}"
        );
    }
    for head in ["HTTP/1.0", "HTTP/1.1\r\nHost: [::1]:80"] {
        let answer = ask(&format!("GET /health/live {head}"));
        assert!(answer.contains(" 200 OK"), "{answer}");
    }
    let post = "POST /api/loaves HTTP/1.1\r\nHost: x";
    for coding in ["chunked\r\nTransfer-Encoding: chunked", "gzip, chunked"] {
        let answer = ask(&format!("{post}\r\nTransfer-Encoding: {coding}"));
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }
    // Both lengths, then bytes that one of the two readings takes for another request.
    let both = "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\
                GET /api/dishes HTTP/1.1\r\nHost: x\r\n\r\n";
    let json = "Content-Type: application/json";
    let answer = raw::ask(&service, &format!("{post}\r\n{json}\r\n{both}"));
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
}

#[test]
fn requests_before_a_malformed_one_are_answered() {
    let service = kitchen();
    for (count, version) in [(1, "1.1"), (5, "1.1"), (2, "1.0")] {
        let good =
            format!("GET /api/dishes HTTP/{version}\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
        let answer = raw::ask(&service, &format!("{}GET\r\n\r\n", good.repeat(count)));
        let answer = answer.replace("HTTP/1.0 ", "HTTP/1.1 ");
        let answers: Vec<&str> = answer.split("HTTP/1.1 ").skip(1).collect();
        assert_eq!(answers.len(), count + 1, "{answer}");
        let (last, first) = answers.split_last().expect("answers");
        assert!(first.iter().all(|it| it.starts_with("200")), "{answer}");
        assert!(last.starts_with("400"), "{answer}");
    }
}
