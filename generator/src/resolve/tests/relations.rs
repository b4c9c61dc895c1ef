//! Relations across manifests.

use super::resolved;
use crate::project::*;

#[test]
fn a_pivot_is_owned_once() {
    let project = resolved(&[
        (
            "resources/menus",
            "model: { key: menu_id, relations: { categories: { many_to_many: categories, pivot: mc } } }",
        ),
        (
            "resources/categories",
            "model: { relations: { menus: { many_to_many: menus, pivot: mc, other_column: menu_id } } }",
        ),
    ]);
    let pivot = |key: &str| match &project.find(key).unwrap().1.model.relations[0].kind {
        RelationKind::ManyToMany(pivot) => pivot.clone(),
        other => panic!("{other:?}"),
    };
    assert!(pivot("categories").owned);
    assert!(!pivot("menus").owned);
    assert_eq!(pivot("menus").column, "menu_id");
    assert_eq!(pivot("menus").other_column, "category_id");
}

#[test]
fn every_kind_of_relation_resolves() {
    let project = resolved(&[
        ("resources/orders", "model:
  key: order_id
  attributes: { reviewable_type: string nullable, reviewable_id: bigint nullable, payment: string nullable }
  relations:
    self_one: { has_one: notes }
    notes: { has_many: notes, column: order_id, where: { public: true }, order: [-id], first: true, load: { for: [last_note] } }
    assignee: { belongs_to: admin_users, type: assignee, load: always, include: admin }
    method: { belongs_to: payments, column: payment, target_key: code, constraint: false }
    image: { morph_one: media, morph: attachment }
    media: { morph_many: media, morph: attachment, value: order, include: default }
    reviewable: { morph_to: { orders: orders, pay: payments } }
    tags: { morph_many_to_many: payments, morph: taggable, write: sync }
"),
        ("models/notes", "model: { attributes: { public: boolean, order_id: bigint nullable } }"),
        ("models/payments", "model: { attributes: { code: string unique } }"),
        ("models/media", "model: { attributes: { attachment_type: string, attachment_id: bigint } }"),
    ]);
    let order = project.find("orders").unwrap().1;
    let relation = |name: &str| {
        order
            .model
            .relations
            .iter()
            .find(|own| own.name == name)
            .unwrap()
    };
    assert_eq!(
        relation("notes").conditions,
        [("public".to_owned(), Literal::Bool(true))]
    );
    assert_eq!(relation("notes").load, Load::For(vec!["last_note".into()]));
    assert_eq!(relation("assignee").load, Load::Always);
    assert_eq!(relation("method").load, Load::IfIncluded);
    assert_eq!(
        relation("assignee").include,
        Include::Allowed(Context::Admin)
    );
    assert_eq!(
        relation("assignee").kind,
        RelationKind::BelongsTo {
            column: "assignee_id".into(),
            target_key: "user_id".into()
        }
    );
    let RelationKind::MorphMany(morph) = &relation("media").kind else {
        panic!()
    };
    assert_eq!(morph.value, "order");
    let RelationKind::MorphTo { morph, targets } = &relation("reviewable").kind else {
        panic!()
    };
    assert_eq!(
        (morph.as_str(), targets[1].1.as_str()),
        ("reviewable", "payments")
    );
    let RelationKind::MorphManyToMany { pivot, morph } = &relation("tags").kind else {
        panic!()
    };
    assert_eq!(
        (pivot.table.as_str(), pivot.column.as_str()),
        ("taggables", "taggable_id")
    );
    assert_eq!(
        (pivot.other_column.as_str(), morph.value.as_str()),
        ("payment_id", "orders")
    );
    let payment = order
        .model
        .attributes
        .iter()
        .find(|own| own.name == "payment")
        .unwrap();
    assert!(!payment.constraint && !payment.references.as_ref().unwrap().is_primary);
}

#[test]
fn a_default_of_zero_on_a_key_becomes_null() {
    let project = resolved(&[(
        "resources/a",
        "model: { attributes: { b_id: { type: bigint, nullable: true, default: 0 } }, relations: { b: { belongs_to: a, column: b_id } } }",
    )]);
    assert_eq!(
        project.find("a").unwrap().1.model.attributes[0].default,
        None
    );
}
