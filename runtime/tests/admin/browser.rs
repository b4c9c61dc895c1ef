//! A browser: it keeps cookies and fills in forms.

use std::{cell::RefCell, collections::BTreeMap};

use formwork::testing::{Answer, Service};

/// A browser that looks at a service; it runs no scripts.
pub struct Browser<'s> {
    pub service: &'s Service,
    base: String,
    pub cookies: RefCell<BTreeMap<String, String>>,
}

impl<'s> Browser<'s> {
    pub fn new(service: &'s Service) -> Self {
        Self {
            service,
            base: super::base(service),
            cookies: RefCell::default(),
        }
    }

    /// A page; `below` begins with a slash, or is empty.
    pub fn get(&self, below: &str) -> Answer {
        self.send("GET", below, None, &[])
    }

    /// A page that is there.
    pub fn page(&self, below: &str) -> String {
        let answer = self.get(below);
        assert_eq!(answer.status, 200, "{below}: {answer}");
        answer.body
    }

    /// Sends a form with the token of the page it is on.
    pub fn post(&self, page: &str, below: &str, fields: &[(&str, &str)]) -> Answer {
        let token = csrf(&self.get(page).body);
        self.post_with(&token, below, fields)
    }

    /// Sends a form with this token.
    pub fn post_with(&self, token: &str, below: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = [&[("csrf", token)], fields].concat();
        self.send("POST", below, Some(form(&fields)), &[])
    }

    pub fn send(
        &self,
        method: &str,
        below: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut client = self.service.guest().header("Accept", "text/html");
        let held = self.cookies.borrow().clone();
        let cookies: Vec<String> = held
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if !cookies.is_empty() {
            client = client.header("Cookie", &cookies.join("; "));
        }
        if body.is_some() {
            client = client.header("Content-Type", "application/x-www-form-urlencoded");
        }
        for (name, value) in headers {
            client = client.header(name, value);
        }
        let answer = client.send(method, &format!("{}{below}", self.base), body);
        self.keep(&answer);
        answer
    }

    fn keep(&self, answer: &Answer) {
        for line in answer.headers.get_all("set-cookie") {
            let line = line.to_str().expect("text");
            let (pair, rest) = line.split_once(';').expect("attributes");
            let (name, value) = pair.split_once('=').expect("a pair");
            let mut cookies = self.cookies.borrow_mut();
            if rest.contains("Max-Age=0") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub fn try_sign_in(&self, login: &str, password: &str) -> Answer {
        self.post(
            "/login",
            "/login",
            &[("login", login), ("password", password)],
        )
    }

    pub fn sign_in(&self, login: &str, password: &str) {
        let answer = self.try_sign_in(login, password);
        assert_eq!(answer.status, 303, "{answer}");
    }

    /// The key of the row of a resource, from the list.
    pub fn row(&self, endpoint: &str) -> String {
        let list = self.page(&format!("/resources?search={endpoint}"));
        let (_, rest) = list.split_once("name=\"ids\" value=\"").expect("a row");
        rest.split('"').next().expect("a key").to_owned()
    }

    /// Saves the form of a resource as it is, but for these fields; an empty value unticks a box.
    pub fn save(&self, id: &str, changes: &[(&str, &str)]) -> Answer {
        let page = self.page(&format!("/resources/{id}/edit"));
        self.save_on(&page, id, changes)
    }

    /// As [`Browser::save`], from a page that was opened before. The question that may follow is
    /// answered with yes.
    pub fn save_on(&self, page: &str, id: &str, changes: &[(&str, &str)]) -> Answer {
        let answer = self.submit(page, id, changes);
        if !answer.body.contains("name=\"confirmed\"") {
            return answer;
        }
        self.submit(&answer.body, id, &[])
    }

    /// Sends the form of this page, with these fields instead; an empty value unticks a box.
    pub fn submit(&self, page: &str, id: &str, changes: &[(&str, &str)]) -> Answer {
        let below = format!("/resources/{id}/edit");
        let mut fields = filled(page);
        for (name, value) in changes {
            fields.retain(|(known, _)| known != name);
            if !value.is_empty() || !name.starts_with("on_") {
                fields.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        self.send("POST", &below, Some(form(&fields)), &[])
    }

    /// Deletes the settings of a resource, and answers the question with yes.
    pub fn reset(&self, id: &str) -> Answer {
        let below = format!("/resources/delete?ids={id}");
        let fields = filled(&self.page(&below));
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        self.send("POST", "/resources/delete", Some(form(&fields)), &[])
    }
}

/// The fields of the first form of a page.
pub fn filled(page: &str) -> Vec<(String, String)> {
    let form = page.split("<form class=\"card").nth(1);
    let form = form.or_else(|| page.split("/login\">").nth(1));
    let form = form.expect("the form");
    let form = form.split("</form>").next().expect("its end");
    let mut fields = Vec::new();
    for tag in form.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let attribute = |name: &str| {
            let begin = format!(" {name}=\"");
            let rest = tag.split(&begin).nth(1)?;
            Some(unescaped(rest.split('"').next()?))
        };
        let is_box = attribute("type").as_deref() == Some("checkbox");
        if tag.starts_with("input") && (!is_box || tag.ends_with(" checked")) {
            fields.extend(attribute("name").zip(attribute("value")));
        }
    }
    for select in form.split("<select ").skip(1) {
        let name = select
            .split("name=\"")
            .nth(1)
            .and_then(|it| it.split('"').next());
        let chosen = select.split("</select>").next().unwrap_or_default();
        let chosen = chosen.split(" selected>").next().unwrap_or_default();
        let value = chosen
            .rsplit("value=\"")
            .next()
            .and_then(|it| it.split('"').next());
        fields.extend(
            name.zip(value)
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
    }
    let text = form.split("<textarea").nth(1);
    let text = text.and_then(|it| it.split_once('>'));
    let text = text.and_then(|(_, rest)| rest.split("</textarea>").next());
    fields.extend(text.map(|text| ("description".to_owned(), unescaped(text))));
    fields
}

/// The text that a page shows by these characters.
pub fn unescaped(text: &str) -> String {
    let marks = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
    ];
    marks.iter().fold(text.to_owned(), |text, (mark, letter)| {
        text.replace(mark, letter)
    })
}

/// The token of a page's forms.
pub fn csrf(page: &str) -> String {
    let rest = page
        .split("name=\"csrf\" value=\"")
        .nth(1)
        .unwrap_or_default();
    rest.split('"').next().unwrap_or_default().to_owned()
}

pub fn form(fields: &[(&str, &str)]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields).finish()
}
