use super::*;

/// Nouns of services, and irregular ones.
const NOUNS: &str = "menu menus, category categories, status statuses, currency currencies, \
    address addresses, review reviews, person people, medium media, datum data, series series, \
    news news, staff staff, box boxes, leaf leaves, table tables, analysis analyses, index indices, \
    bus buses, quiz quizzes, order_menu order_menus, menu_item_option_value menu_item_option_values, \
    working_hour working_hours, cache caches, dish dishes, house houses, invoice invoices, \
    schema schemas, menus_special menus_specials, \
    location_settings_entry location_settings_entries";

#[test]
fn nouns_have_a_singular_and_a_plural() {
    for noun in NOUNS.split(", ") {
        let (one, many) = noun.split_once(' ').expect("two forms");
        for form in [one, many] {
            assert_eq!(singular(form), one, "singular of {form}");
            assert_eq!(plural(form), many, "plural of {form}");
        }
    }
    assert_eq!(singular("gift-cards"), "gift-card");
    assert_eq!(words("menu_item_options"), "menu item options");
}

#[test]
fn regular_singulars_equal_those_of_the_library() {
    let nouns = "tables orders reviews coupons customers locations tokens images recipes lines dates names \
        cakes rooms plugs taps brands labels pictures users groups areas sections allergens ingredients items \
        options values totals payments mealtimes stocks specials settings hours codes roles titles articles \
        comments tags posts pages files folders projects tasks tickets events venues hotels flights seats \
        airports drivers trips invoices accounts ledgers cards banks loans grants awards teachers students \
        courses classrooms lessons grades teams players games rounds matches wins artists albums songs tracks \
        playlists books authors editors publishers printers devices sensors readings metrics alerts rules \
        filters queries columns rows cells sheets charts maps layers points shapes streets towns districts \
        regions countries continents planets stars systems engines wheels bikes trains boats lanes ropes \
        grapes shops markets brokers traders lenders lens pens kitchens widows windows cows screws jobs \
        webs clubs bids ads words threads seeds moods bags eggs songs kings links books walks mills skills \
        farms forms items storms plans signs cabins maps groups steps cars doors fathers bits events posts \
        categories stories factories companies libraries galleries deliveries policies agencies currencies \
        industries properties calories series brasseries movies cookies addresses branches taxes axes pickaxes \
        indexes illnesses searches batches menus submenus bonus genus";
    for noun in nouns.split_whitespace() {
        if let Some(one) = regular_singular(noun) {
            assert_eq!(one, pluralizer::pluralize(noun, 1, false), "{noun}");
        }
    }
    for regular in ["tables", "categories", "addresses", "menus"] {
        assert!(regular_singular(regular).is_some(), "{regular}");
    }
    let irregular = "leaves statuses series news analyses indices people calories";
    for irregular in irregular.split(' ') {
        assert!(regular_singular(irregular).is_none(), "{irregular}");
    }
}

/// Three letters before every ending that is regular.
#[test]
fn singulars_of_every_regular_ending_equal_those_of_the_library() {
    let endings = "acies anies elies eries icies ncies nties ories rties tries ches shes sses xes \
        menus bs ds des gs ges ks kes ls les ms mes ns nes ps pes rs res ts tes ws wes bes";
    let letters = || (b'a'..=b'z').map(char::from);
    let pairs = letters().flat_map(|first| letters().map(move |second| (first, second)));
    for (first, second) in pairs {
        for ending in endings.split_whitespace() {
            let word = format!("{first}{second}{ending}");
            if let Some(one) = regular_singular(&word) {
                assert_eq!(one, pluralizer::pluralize(&word, 1, false), "{word}");
            }
        }
    }
}

#[test]
fn no_name_is_empty() {
    for letter in b'a'..=b'z' {
        let word = char::from(letter).to_string();
        for name in [word.clone(), format!("a_{word}")] {
            assert!(
                !singular(&name).is_empty() && !singular(&name).ends_with('_'),
                "{name}"
            );
            assert!(
                !plural(&name).is_empty() && !plural(&name).ends_with('_'),
                "{name}"
            );
        }
    }
}
