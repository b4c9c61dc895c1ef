//! The queries of a caller: the rows that it sees, the rows that it may change, and every row.

use formwork::{auth::AccountKind, prelude::*, testing::Service};
use futures_util::TryStreamExt;
use serde::Serialize;

use super::{
    alice_and_bob, create, house,
    house::{House, Letter, Place, Room},
    keeper,
    parts::resource,
};

/// Rooms 1 in the north and 2 in the south; a letter of each customer.
fn furnished(service: &Service) {
    for place in [1, 2] {
        let room = json!({ "name": format!("Room {place}"), "place_id": place });
        create(&service.admin(), "/api/rooms", room);
    }
    let (alice, bob) = alice_and_bob(service);
    for customer in [alice, bob] {
        create(&customer, "/api/letters", json!({ "title": "Dear cook" }));
    }
}

/// The context of a route that this account calls.
fn called_by(service: &Service, kind: AccountKind, email: &str) -> Context {
    service.block_on(async {
        let (auth, db) = (service.app().auth(), service.app().db());
        let id = auth.account_by_email(db, kind, email).await.expect("read");
        let account = auth.account(db, kind, id.expect("an account")).await;
        let account = account.expect("read").expect("an active account");
        service.context().with_caller(account)
    })
}

/// The keys that a query finds, whether its rows are read at once or streamed.
fn found<M: Model<Key = i64>>(service: &Service, ctx: &Context, query: Query<M>) -> Vec<i64> {
    let all = service.block_on(query.all(ctx)).expect("rows");
    let streamed = query.in_chunks(ctx).map_ok(|row| row.key());
    let streamed: Vec<i64> = service.block_on(streamed.try_collect()).expect("a stream");
    let mut all: Vec<i64> = all.iter().map(Model::key).collect();
    all.sort_unstable();
    assert_eq!(all, streamed);
    all
}

#[test]
fn a_query_of_the_caller_finds_the_rows_of_one_owner_and_of_one_location() {
    let service = house();
    furnished(&service);
    keeper(&service, "north@example.com", &[1]);
    keeper(&service, "south@example.com", &[2]);
    for (email, own) in [("alice@example.com", 1), ("bob@example.com", 2)] {
        let ctx = called_by(&service, AccountKind::Customer, email);
        for query in [Letter::visible(&ctx), Letter::changeable(&ctx)] {
            assert_eq!(
                found(&service, &ctx, query.expect("a query")),
                [own],
                "{email}"
            );
        }
        let other = Letter::visible(&ctx).expect("a query");
        let other = service.block_on(other.find(&ctx, 3 - own)).expect("read");
        assert_eq!(other, None, "{email}");
    }
    for (email, own) in [("north@example.com", 1), ("south@example.com", 2)] {
        let ctx = called_by(&service, AccountKind::Admin, email);
        for query in [Room::visible(&ctx), Room::changeable(&ctx)] {
            assert_eq!(
                found(&service, &ctx, query.expect("a query")),
                [own],
                "{email}"
            );
        }
        assert_eq!(found(&service, &ctx, Room::unscoped()), [1, 2]);
        assert_eq!(found(&service, &ctx, Letter::unscoped()), [1, 2]);
    }
}

#[test]
fn of_the_locations_themselves_an_administrator_changes_those_it_is_assigned_to() {
    let service = house();
    let north = keeper(&service, "north@example.com", &[1]);
    let name = json!({ "name": "Mine" });
    assert_eq!(north.get("/api/places/2").status, 200);
    for refused in [
        north.patch("/api/places/2", name.clone()),
        north.put("/api/places/2", name.clone()),
        north.delete("/api/places/2"),
        north.post("/api/places", name.clone()),
    ] {
        assert_eq!(refused.status, 403, "{refused}");
    }
    assert_eq!(north.patch("/api/places/9", name.clone()).status, 404);
    let kept = service.admin().get("/api/places?sort=id");
    assert_eq!(kept.json["data"][1]["name"], "South", "{kept}");
    assert_eq!(kept.json["meta"]["pagination"]["total"], 3);
    let changed = north.patch("/api/places/1", name.clone());
    assert_eq!(changed.status, 200, "{changed}");
    assert_eq!(service.admin().patch("/api/places/2", name).status, 200);
    let ctx = called_by(&service, AccountKind::Admin, "north@example.com");
    let [visible, changeable] = [Place::visible(&ctx), Place::changeable(&ctx)];
    assert_eq!(found(&service, &ctx, visible.expect("a query")), [1, 2, 3]);
    assert_eq!(found(&service, &ctx, changeable.expect("a query")), [1]);
}

/// A place that shows the number of its rooms, which is computed from a relation.
struct CountedPlaces;

model! {
    CountedPlace "places" { key id: i64 }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("rooms", "rooms", "place_id")
            .include()
            .load_always();
    }
}

impl Repository for CountedPlaces {
    type Model = CountedPlace;
}

impl ResourceRequest for CountedPlaces {
    type Model = CountedPlace;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl RestController for CountedPlaces {
    type Model = CountedPlace;
    type Repository = Self;
    type Request = Self;
    type Transformer = Self;
}

impl Transformer for CountedPlaces {
    type Model = CountedPlace;

    fn transform<'a>(place: &'a Loaded<CountedPlace>, _ctx: &'a Context) -> impl Serialize + 'a {
        fallible(|| {
            let rooms: Vec<&Room> = place.to_many("rooms")?;
            Ok(json!({ "id": place.id, "number_of_rooms": rooms.len() }))
        })
    }

    fn shape(to: &mut Shape) {
        to.field::<i64>("id");
        to.field::<u64>("number_of_rooms");
    }
}

impl Extension for CountedPlaces {
    fn name(&self) -> &'static str {
        "house"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = House.register_api_resources();
        resources.push(resource(
            "counted",
            CountedPlaces,
            actions!["index", "show"],
        ));
        resources
    }

    fn migrations(&self) -> &'static [Migration] {
        House.migrations()
    }
}

#[test]
fn a_computed_attribute_counts_the_rows_that_the_caller_sees() {
    let service = Service::start(vec![Box::new(CountedPlaces)]);
    for name in ["North", "South"] {
        create(&service.admin(), "/api/places", json!({ "name": name }));
    }
    furnished(&service);
    let north = keeper(&service, "north@example.com", &[1]);
    for path in ["/api/counted", "/api/counted?include=rooms"] {
        let list = north.get(path);
        let numbers = [0, 1].map(|at| list.json["data"][at]["number_of_rooms"].as_u64());
        assert_eq!(numbers, [Some(1), Some(0)], "{path}: {list}");
    }
}
