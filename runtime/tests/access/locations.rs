//! Location-bound resources: an administrator who is assigned to locations sees and changes rows
//! of those only, and rows of none where the resource says so.

use formwork::{
    auth::{AccountKind, assign_locations},
    testing::Service,
};
use serde_json::json;

use super::{alice_and_bob, create, house, ids, keeper};

/// Rooms 1 and 2 in the north, 3 in the south, 4 nowhere; shows 1 in the north, 2 in the south,
/// 3 in both, 4 everywhere.
fn furnished() -> Service {
    let service = house();
    let admin = service.admin();
    let places = [Some(1), Some(1), Some(2), None];
    for (at, place) in places.into_iter().enumerate() {
        let room = json!({"name": format!("Room {at}"), "place_id": place});
        create(&admin, "/api/rooms", room);
    }
    for places in [vec![1], vec![2], vec![1, 2], vec![]] {
        let show = json!({"name": format!("Show {places:?}"), "places": places});
        create(&admin, "/api/shows", show);
    }
    service
}

/// The places of a show, for an administrator without locations.
fn places(service: &Service, show: i64) -> Vec<i64> {
    let show = service
        .admin()
        .get(&format!("/api/shows/{show}?include=places"));
    let places = show.json["data"]["places"].as_array().expect("places");
    places
        .iter()
        .filter_map(|place| place["id"].as_i64())
        .collect()
}

#[test]
fn lists_and_their_counts_hold_the_rows_of_ones_own_locations() {
    let service = furnished();
    let north = keeper(&service, "north@example.com", &[1]);
    let rooms = north.get("/api/rooms");
    assert_eq!(ids(&rooms), [1, 2]);
    assert_eq!(rooms.json["meta"]["pagination"]["total"], 2);
    assert_eq!(ids(&north.get("/api/shows")), [1, 3, 4], "or of none");
    let queries = "search=Room filter[place_id][in]=1,2 sort=-place_id page[after]= page[before]= \
        pageLimit=1&page=2";
    for query in queries.split(' ') {
        let rooms = north.get(&format!("/api/rooms?{query}"));
        assert!(
            ids(&rooms).iter().all(|id| [1, 2].contains(id)),
            "{query}: {rooms}"
        );
    }
    assert_eq!(ids(&north.get("/api/rooms?filter[place_id]=2")), [0; 0]);
    let both = keeper(&service, "both@example.com", &[1, 2]);
    assert_eq!(ids(&both.get("/api/rooms")), [1, 2, 3]);
}

#[test]
fn callers_without_a_location_see_every_location() {
    let service = furnished();
    let free = keeper(&service, "free@example.com", &[]);
    let (customer, _) = alice_and_bob(&service);
    for client in [service.admin(), service.guest(), customer, free] {
        assert_eq!(ids(&client.get("/api/rooms")), [1, 2, 3, 4]);
        assert_eq!(ids(&client.get("/api/shows")), [1, 2, 3, 4]);
    }
}

#[test]
fn one_record_beyond_is_not_found() {
    let service = furnished();
    let north = keeper(&service, "north@example.com", &[1]);
    for path in ["/api/rooms/3", "/api/rooms/4", "/api/shows/2"] {
        let matching = north.clone().header("If-None-Match", "*");
        for answer in [
            north.get(path),
            north.patch(path, json!({"name": "Mine"})),
            north.put(path, json!({"name": "Mine"})),
            north.delete(path),
            matching.get(path),
        ] {
            assert_eq!(answer.status, 404, "{path}: {answer}");
        }
        let kept = service.admin().get(path);
        assert_eq!(kept.status, 200, "{kept}");
        assert_ne!(kept.json["data"]["name"], "Mine");
    }
    assert_eq!(north.get("/api/rooms/1").status, 200);
    assert_eq!(north.get("/api/shows/4").status, 200, "of none");
    let renamed = north.patch("/api/shows/4", json!({"name": "Mine"}));
    assert_eq!(renamed.status, 200, "{renamed}");
    assert_eq!(north.delete("/api/rooms/2").status, 204);
}

#[test]
fn includes_hold_the_rows_of_ones_own_locations() {
    let service = furnished();
    let attached = service.admin().patch("/api/shows/4", json!({"room_id": 3}));
    assert_eq!(attached.status, 200, "{attached}");
    let north = keeper(&service, "north@example.com", &[1]);
    let south = north.get("/api/places/2?include=rooms,shows").json;
    assert_eq!(south["data"]["rooms"], json!([]), "{south}");
    let shows = south["data"]["shows"].as_array().expect("shows");
    assert_eq!(shows.len(), 1, "the show of both: {south}");
    let show = north.get("/api/shows/4?include=room");
    assert_eq!(show.json["data"]["room"], json!(null), "{show}");
}

#[test]
fn a_new_row_names_a_location_of_ones_own() {
    let service = furnished();
    let north = keeper(&service, "north@example.com", &[1]);
    for place in [json!(2), json!(null)] {
        let refused = north.post("/api/rooms", json!({"name": "New", "place_id": place}));
        assert_eq!(refused.status, 422, "{refused}");
        assert!(refused.json["errors"]["place_id"].is_array(), "{refused}");
    }
    create(&north, "/api/rooms", json!({"name": "New", "place_id": 1}));
    for places in [json!([2]), json!([1, 2])] {
        let refused = north.post("/api/shows", json!({"name": "New", "places": places}));
        assert_eq!(refused.status, 422, "{refused}");
        assert!(refused.json["errors"]["places"].is_array(), "{refused}");
    }
    let new = create(&north, "/api/shows", json!({"name": "New", "places": [1]}));
    assert_eq!(places(&service, new), [1]);
    create(&north, "/api/shows", json!({"name": "Everywhere"}));
    let total = &service.admin().get("/api/rooms").json["meta"]["pagination"]["total"];
    assert_eq!(total, 5, "what was refused was not stored");
}

#[test]
fn a_change_does_not_take_a_row_away() {
    let service = furnished();
    let north = keeper(&service, "north@example.com", &[1]);
    let moved = north.patch("/api/rooms/1", json!({"place_id": 2}));
    assert_eq!(moved.status, 422, "{moved}");
    let seen = service.admin().get("/api/rooms/1");
    assert_eq!(seen.json["data"]["place_id"], 1);
    // Show 3 is the south's as well: that link is not the north's to cut, nor to need.
    let kept = north.patch("/api/shows/3", json!({"places": [1]}));
    assert_eq!(kept.status, 200, "{kept}");
    assert_eq!(places(&service, 3), [1, 2]);
    let same = north.patch("/api/shows/3", json!({"places": [2, 1]}));
    assert_eq!(same.status, 200, "{same}");
    let left = north.patch("/api/shows/3", json!({"places": []}));
    assert_eq!(
        left.status, 422,
        "the show would be the south's alone: {left}"
    );
    assert_eq!(places(&service, 3), [1, 2]);
    let taken = north.patch("/api/shows/1", json!({"places": [1, 3]}));
    assert_eq!(taken.status, 422, "{taken}");
}

#[test]
fn a_link_to_a_row_beyond_is_refused_as_if_there_were_none() {
    let service = furnished();
    let north = keeper(&service, "north@example.com", &[1]);
    let beyond = north.patch("/api/shows/1", json!({"room_id": 3}));
    let missing = north.patch("/api/shows/1", json!({"room_id": 99}));
    assert_eq!(beyond.status, 422, "{beyond}");
    assert_eq!(
        beyond.body, missing.body,
        "the answer does not tell the two apart"
    );
    assert_eq!(
        north.patch("/api/shows/1", json!({"room_id": 1})).status,
        200
    );
}

#[test]
fn assignments_count_at_once() {
    let service = furnished();
    let id = service.account(AccountKind::Admin, "new@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    let client = service.with_token(token);
    assert_eq!(ids(&client.get("/api/rooms")).len(), 4);
    let db = service.app().db();
    let assign = |places: &[i64]| {
        let assigned = assign_locations(db, id, places);
        service.block_on(assigned)
    };
    assign(&[2, 2]).expect("assigned");
    assert_eq!(ids(&client.get("/api/rooms")), [3]);
    assign(&[]).expect("assigned");
    assert_eq!(ids(&client.get("/api/rooms")).len(), 4);
    let nobody = assign_locations(db, 999, &[1]);
    assert!(service.block_on(nobody).is_err());
}
