use super::*;

const MENUS: (&str, &str) = (
    "shop/resources/menus.yaml",
    "model:\n  relations:\n    tag: { belongs_to: tags }\n",
);

fn tagged(key: &str) -> Project {
    let tags = format!("model:\n  key: {{ name: id, type: {key} }}\n");
    project(&[MENUS, ("shop/resources/tags.yaml", &tags)])
}

#[test]
fn a_changed_key_of_one_resource_alone_is_refused_while_others_refer_to_it() {
    let first = emitted(&tagged("bigint"), &Previous::default());
    let only = |unit: &str| {
        let units: BTreeSet<String> = [unit.to_owned()].into();
        let only = MigrationOptions {
            units: Some(&units),
            ..options()
        };
        migrations(&tagged("string(40)"), &after(&first), &only)
    };
    let refused = only("shop.tags").unwrap_err();
    assert_eq!(refused.exit, Exit::Usage);
    assert!(
        refused
            .to_string()
            .contains("menus points to it: run `formwork generate`"),
        "{refused}"
    );
    let run = emitted(&tagged("string(40)"), &after(&first));
    assert_eq!(names(&run), ["change_id_in_tags"]);
    let text = &run.new[0].sql[0].1;
    assert!(text.contains("-- touches: tags, menus.tag_id\n"), "{text}");
}

#[test]
fn a_resource_alone_is_refused_while_its_referenced_key_changes() {
    let first = emitted(&tagged("bigint"), &Previous::default());
    let units: BTreeSet<String> = ["shop.menus".to_owned()].into();
    let only = MigrationOptions {
        units: Some(&units),
        ..options()
    };
    let run = migrations(&tagged("uuid"), &after(&first), &only);
    let refused = run.unwrap_err();
    assert_eq!(refused.exit, Exit::Usage, "{refused}");
}
