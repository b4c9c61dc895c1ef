//! Bodies that each resource accepts, as its clients' documentation shows them.

use std::sync::atomic::{AtomicU32, Ordering};

use formwork_tests::client::Client;
use serde_json::{Value, json};

/// A number that no other payload of this process holds: names and e-mail addresses are unique.
fn fresh() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A day of the next year on which no other payload of this process reserves, nor the seed: tables
/// are free once an evening.
fn free_evening() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    in_days(75 + NEXT.fetch_add(1, Ordering::Relaxed) % 290)
}

/// So many days from now.
fn in_days(days: u32) -> String {
    let day = chrono::Utc::now() + chrono::TimeDelta::days(days.into());
    day.date_naive().to_string()
}

/// An order of this caller's: customers review each once.
pub fn new_order(client: &Client) -> i64 {
    let answer = client.post("/api/orders", &store("orders", 0));
    assert_eq!(answer.status, 201, "{answer}");
    answer.json["data"]["id"].as_i64().expect("a key")
}

/// A body that `resource` accepts on store; `order` is an order the caller may review.
pub fn store(resource: &str, order: i64) -> Value {
    let number = fresh();
    match resource {
        "categories" => json!({ "name": format!("Category {number}") }),
        "coupons" => json!({
            "name": "Ten off", "code": format!("TEN{number}"), "type": "F", "discount": "10.0000",
            "redemptions": 0, "customer_redemptions": 0, "validity": "forever",
        }),
        "customers" => json!({
            "first_name": "Carol", "last_name": "Jones", "email": format!("carol{number}@example.com"),
            "customer_group_id": 1, "status": true, "send_invite": false,
            "password": "a long secret", "password_confirm": "a long secret",
        }),
        "locations" => json!({
            "location_name": format!("Location {number}"), "location_email": "here@example.com",
            "location_address_1": "1 High Street", "is_auto_lat_lng": true,
        }),
        "menus" => json!({ "menu_name": format!("Menu {number}"), "menu_price": "4.9900" }),
        "orders" => json!({
            "first_name": "Alice", "last_name": "Smith", "email": "alice@example.com",
            "telephone": "020 7946 0000", "location_id": 1, "order_type": "collection", "payment": "cod",
            "order_date": in_days(70), "order_time": "18:30",
            "order_menus": [{ "id": 1, "name": "Soup", "qty": 2, "price": "4.5000", "subtotal": "9.0000" }],
        }),
        "reservations" => json!({
            "location_id": 1, "guest_num": 2, "reserve_date": free_evening(), "reserve_time": "19:00",
            "first_name": "Alice", "last_name": "Smith", "email": "alice@example.com",
            "telephone": "020 7946 0000",
        }),
        "reviews" => json!({
            "reviewable_type": "orders", "reviewable_id": order, "location_id": 1, "author": "Alice Smith",
            "quality": 5, "delivery": 4, "service": 3, "review_text": "Warm and quick.",
            "review_status": true,
        }),
        other => panic!("no payload for {other}"),
    }
}

/// A body that `resource` accepts on update.
pub fn update(resource: &str) -> Value {
    match resource {
        "categories" => json!({ "description": "Changed" }),
        "coupons" => json!({ "description": "Changed" }),
        "customers" => json!({ "telephone": "020 7946 0111" }),
        "locations" => json!({ "description": "Changed" }),
        "menus" => json!({ "menu_description": "Changed" }),
        "orders" => json!({ "comment": "Changed" }),
        "reservations" => json!({ "comment": "Changed" }),
        "reviews" => json!({ "review_text": "Changed" }),
        other => panic!("no payload for {other}"),
    }
}
