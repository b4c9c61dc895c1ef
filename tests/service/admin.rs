//! The admin area of the restaurant: what its pages decide, its API does (docs/guide/admin.md).

use formwork_tests::client::Answer;
use formwork_tests::restaurant::Restaurant;

/// A browser in which the seed's administrator is signed in.
struct Browser<'r> {
    restaurant: &'r Restaurant,
    cookie: String,
}

/// The text between two marks.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    let rest = text.split(begin).nth(1).unwrap_or_default();
    rest.split(end).next().unwrap_or_default()
}

fn csrf(page: &str) -> &str {
    between(page, "name=\"csrf\" value=\"", "\"")
}

impl<'r> Browser<'r> {
    fn signed_in(restaurant: &'r Restaurant) -> Self {
        let page = restaurant.guest().get("/admin/login");
        assert_eq!(page.status, 200, "{page:?}");
        let mut browser = Self {
            restaurant,
            cookie: cookie(&page),
        };
        let body = format!("csrf={}&login=admin&password=formwork", csrf(&page.body));
        let answer = browser.send("/admin/login", &body);
        assert_eq!(answer.status, 303, "{answer:?}");
        browser.cookie = cookie(&answer);
        browser
    }

    fn get(&self, path: &str) -> String {
        let headers = [("Cookie", self.cookie.as_str())];
        let guest = self.restaurant.guest();
        let answer = guest.send_text("GET", path, &headers, "");
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.body
    }

    fn send(&self, path: &str, body: &str) -> Answer {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        self.restaurant
            .guest()
            .send_text("POST", path, &headers, body)
    }

    /// Decides which actions of a resource are on, and for whom; the others are off.
    fn decide(&self, key: &str, actions: &[(&str, &str)]) {
        let list = self.get(&format!("/admin/resources?search={key}"));
        let id = between(&list, "name=\"ids\" value=\"", "\"");
        let page = self.get(&format!("/admin/resources/{id}/edit"));
        let seen = between(&page, "name=\"seen\" value=\"", "\"");
        let token = csrf(&page);
        let mut body = format!("csrf={token}&seen={seen}&name={key}&description=of+a+test");
        for (action, context) in actions {
            body.push_str(&format!("&on_{action}=1&allow_{action}={context}"));
        }
        for action in ["index", "store", "show", "update", "destroy"] {
            body.push_str(&format!("&allow_{action}=admin"));
        }
        let path = format!("/admin/resources/{id}/edit");
        let mut answer = self.send(&path, &body);
        if answer.status == 200 {
            // More people get at rows: the question is answered with yes.
            let yes = between(&answer.body, "name=\"confirmed\" value=\"", "\"");
            answer = self.send(&path, &format!("{body}&confirmed={yes}"));
        }
        assert_eq!(answer.status, 303, "{answer:?}");
    }
}

fn cookie(answer: &Answer) -> String {
    let line = answer.header("set-cookie").expect("a cookie");
    line.split(';').next().unwrap_or_default().to_owned()
}

#[test]
fn the_api_follows_the_settings_of_the_admin_area() {
    let restaurant = Restaurant::start();
    let browser = Browser::signed_in(&restaurant);
    let (guest, alice, admin) = (restaurant.guest(), restaurant.alice(), restaurant.admin());
    let list = browser.get("/admin/resources");
    for key in formwork_tests::RESOURCES {
        assert!(list.contains(&format!("<code>/api/{key}</code>")), "{key}");
    }
    let statuses = |path: &str| {
        [
            guest.get(path).status,
            alice.get(path).status,
            admin.get(path).status,
        ]
    };
    assert_eq!(statuses("/api/menus"), [200, 200, 200]);

    browser.decide("menus", &[("store", "admin"), ("show", "all")]);
    let answer = guest.get("/api/menus");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("POST")),
        "{answer:?}"
    );
    let answer = admin.delete("/api/menus/1");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("GET, HEAD")),
        "{answer:?}"
    );
    assert_eq!(statuses("/api/menus/1"), [200, 200, 200]);
    browser.decide("menus", &[("show", "all")]);
    assert_eq!(statuses("/api/menus"), [404, 404, 404]);

    browser.decide("menus", &[("index", "admin"), ("show", "admin")]);
    assert_eq!(statuses("/api/menus"), [401, 403, 200]);
    assert_eq!(statuses("/api/menus/1"), [401, 403, 200]);
    assert_eq!(statuses("/api/categories?include=menus"), [403, 403, 200]);
    assert_eq!(statuses("/api/categories"), [200, 200, 200]);
    let (done, routes, _) = restaurant.console(&["routes"]);
    assert!(
        done && !routes.contains("DELETE     /api/menus/{id}"),
        "{routes}"
    );
}
