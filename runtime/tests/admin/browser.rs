//! A browser: it keeps cookies and fills in forms.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use formwork::testing::{Answer, Client, Service};

/// Form fields by name.
pub type Fields<'f> = &'f [(&'f str, &'f str)];

/// A browser that looks at a service; it runs no scripts.
pub struct Browser {
    pub service: Arc<Service>,
    base: String,
    pub cookies: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    pub fn new(service: &Arc<Service>) -> Self {
        let path = service.app().config().setting("admin.path");
        Self {
            service: Arc::clone(service),
            base: path.expect("a path").to_owned(),
            cookies: RefCell::default(),
        }
    }

    /// Returns the response for a path below `admin.path`: it begins with a slash, or is empty.
    pub fn get(&self, below: &str) -> Answer {
        self.send("GET", below, None, &[])
    }

    /// Returns a page that exists.
    #[track_caller]
    pub fn page(&self, below: &str) -> String {
        let answer = self.get(below);
        assert_eq!(answer.status, 200, "{below}: {answer}");
        answer.body
    }

    /// Asserts that a page exists and contains these parts.
    #[track_caller]
    pub fn must_show<P: AsRef<str>>(&self, below: &str, parts: impl IntoIterator<Item = P>) {
        self.page(below).must_contain(parts);
    }

    /// Returns the page with the settings of a resource.
    #[track_caller]
    pub fn edit(&self, id: &str) -> String {
        self.page(&format!("/resources/{id}/edit"))
    }

    /// Sends a form with the token of the page it is on.
    pub fn post(&self, page: &str, below: &str, fields: Fields<'_>) -> Answer {
        let token = csrf(&self.get(page).body);
        self.post_with(&token, below, fields)
    }

    /// Sends a form with this token.
    pub fn post_with(&self, token: &str, below: &str, fields: Fields<'_>) -> Answer {
        let fields = [&[("csrf", token)], fields].concat();
        self.send("POST", below, Some(form(&fields)), &[])
    }

    pub fn send(
        &self,
        method: &str,
        below: &str,
        body: Option<String>,
        headers: Fields<'_>,
    ) -> Answer {
        let mut client = html(&self.service);
        let cookies = self.cookies.borrow().clone();
        let cookies = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let cookies: Vec<String> = cookies.collect();
        if !cookies.is_empty() {
            client = client.header("Cookie", &cookies.join("; "));
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
            match rest.contains("Max-Age=0") {
                true => cookies.remove(name),
                false => cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }

    /// Returns the value of the session's cookie.
    pub fn secret(&self) -> String {
        self.cookies.borrow()["formwork_admin"].clone()
    }

    /// Replaces the session's cookie.
    pub fn set_secret(&self, secret: &str) {
        let mut cookies = self.cookies.borrow_mut();
        cookies.insert("formwork_admin".to_owned(), secret.to_owned());
    }

    pub fn try_sign_in(&self, login: &str, password: &str) -> Answer {
        let fields = [("login", login), ("password", password)];
        self.post("/login", "/login", &fields)
    }

    #[track_caller]
    pub fn sign_in(&self, login: &str, password: &str) {
        let answer = self.try_sign_in(login, password);
        assert_eq!(answer.status, 303, "{answer}");
    }

    /// Returns the key of a resource's row, from the list.
    #[track_caller]
    pub fn row(&self, endpoint: &str) -> String {
        let list = self.page(&format!("/resources?search={endpoint}"));
        let id = between(&list, "name=\"ids\" value=\"", "\"");
        id.expect("a row").to_owned()
    }

    /// Saves the settings of a resource, except for these fields as they are.
    #[track_caller]
    pub fn save(&self, id: &str, changes: Fields<'_>) -> Answer {
        let answer = self.save_on(&self.edit(id), id, changes);
        assert_eq!(answer.status, 303, "{changes:?}: {answer}");
        answer
    }

    /// Like [`Browser::save`], from a page that was opened before and with any response. A
    /// question that follows is answered with yes.
    pub fn save_on(&self, page: &str, id: &str, changes: Fields<'_>) -> Answer {
        let answer = self.submit(page, id, changes);
        match answer.body.contains("name=\"confirmed\"") {
            true => self.submit(&answer.body, id, &[]),
            false => answer,
        }
    }

    /// Saves from a page that is outdated; returns the page that shows the conflict.
    #[track_caller]
    pub fn conflict(&self, page: &str, id: &str, changes: Fields<'_>) -> String {
        let answer = self.save_on(page, id, changes);
        assert_eq!(answer.status, 409, "{changes:?}: {answer}");
        answer.body
    }

    /// Sends the form of this page, with these fields instead; an empty value unticks a box.
    pub fn submit(&self, page: &str, id: &str, changes: Fields<'_>) -> Answer {
        let below = format!("/resources/{id}/edit");
        self.submit_to(&below, page, changes)
    }

    /// Like [`Browser::submit`], to any path.
    pub fn submit_to(&self, below: &str, page: &str, changes: Fields<'_>) -> Answer {
        let mut fields = filled(page);
        fields.retain(|(name, _)| changes.iter().all(|(changed, _)| name != changed));
        let mut fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (&**n, &**v)).collect();
        let is_sent = |(name, value): &&(&str, &str)| !value.is_empty() || !name.starts_with("on_");
        fields.extend(changes.iter().filter(is_sent));
        self.send("POST", below, Some(form(&fields)), &[])
    }

    /// Deletes the settings of a resource, and answers the question with yes.
    #[track_caller]
    pub fn reset(&self, id: &str) -> Answer {
        let page = self.page(&format!("/resources/delete?ids={id}"));
        let answer = self.submit_to("/resources/delete", &page, &[]);
        assert_eq!(answer.status, 303, "{answer}");
        answer
    }
}

/// Returns a client that reads pages and sends forms.
pub fn html(service: &Service) -> Client<'_> {
    let client = service.guest().header("Accept", "text/html");
    client.header("Content-Type", "application/x-www-form-urlencoded")
}

/// Returns the fields of the first form of a page.
pub fn filled(page: &str) -> Vec<(String, String)> {
    let form = between(page, "<form class=\"card", "</form>");
    let form = form.or_else(|| between(page, "/login\">", "</form>"));
    let form = form.expect("the form");
    let mut fields = Vec::new();
    for tag in form.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let attribute = |name: &str| between(tag, &format!(" {name}=\""), "\"").map(unescaped);
        let is_box = attribute("type").as_deref() == Some("checkbox");
        if tag.starts_with("input") && (!is_box || tag.ends_with(" checked")) {
            fields.extend(attribute("name").zip(attribute("value")));
        }
    }
    for select in form.split("<select ").skip(1) {
        let name = between(select, "name=\"", "\"").expect("a name");
        let options = select.split("</select>").next().unwrap_or_default();
        let selected = options.split(" selected>").next().unwrap_or_default();
        let value = selected.rsplit("value=\"").next().unwrap_or_default();
        let value = value.split('"').next().unwrap_or_default();
        fields.push((name.to_owned(), value.to_owned()));
    }
    let text = between(form, "<textarea", "</textarea>").and_then(|text| text.split_once('>'));
    fields.extend(text.map(|(_, text)| ("description".to_owned(), unescaped(text))));
    fields
}

/// Returns the text after `begin` and before the next `end`.
pub fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(begin)?;
    rest.split(end).next()
}

/// Returns the text that a page shows by these characters.
pub fn unescaped(text: &str) -> String {
    let entities = "&#60; < &#62; > &#34; \" &#39; ' &#38; &";
    let entities: Vec<&str> = entities.split(' ').collect();
    let entities = entities.chunks(2);
    entities.fold(text.to_owned(), |text, pair| text.replace(pair[0], pair[1]))
}

/// Returns the token of a page's forms.
pub fn csrf(page: &str) -> String {
    let token = between(page, "name=\"csrf\" value=\"", "\"");
    token.unwrap_or_default().to_owned()
}

pub fn form(fields: Fields<'_>) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields).finish()
}

/// Assertions about the text of a page.
pub trait Page {
    fn must_contain<P: AsRef<str>>(&self, parts: impl IntoIterator<Item = P>);
    fn must_lack<P: AsRef<str>>(&self, parts: impl IntoIterator<Item = P>);
}

impl Page for str {
    #[track_caller]
    fn must_contain<P: AsRef<str>>(&self, parts: impl IntoIterator<Item = P>) {
        for part in parts {
            let part = part.as_ref();
            assert!(self.contains(part), "{part} is missing in {self}");
        }
    }

    #[track_caller]
    fn must_lack<P: AsRef<str>>(&self, parts: impl IntoIterator<Item = P>) {
        for part in parts {
            let part = part.as_ref();
            assert!(!self.contains(part), "{part} is in {self}");
        }
    }
}

/// Asserts that a response leads to this address.
#[track_caller]
pub fn assert_redirect(answer: &Answer, location: &str) {
    let redirect = (answer.status, answer.header("location"));
    assert_eq!(redirect, (303, Some(location)), "{answer}");
}
