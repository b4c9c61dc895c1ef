//! Rules as keywords of JSON Schema, and in words where it has none for them.

mod words;

use formwork_core::request::{Bound, Rule};
use formwork_data::column::{ColumnInfo, Kind};
use serde_json::{Number, Value as Json};

use super::{
    schema::{Schema, Types},
    tree::Node,
};
use words::{is_portable, words};

/// A time of day as bodies may write it.
pub(super) const TIME: &str = r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$";

/// The schema of a value under these rules, and the limits of its column. `admin`: administrators
/// alone write it.
pub(super) fn schema(
    node: &Node,
    column: Option<&ColumnInfo>,
    is_list: bool,
    admin: bool,
) -> Schema {
    let mut schema = base(node, column, is_list);
    let number = is_number(&schema);
    for rule in &node.rules {
        keyword(&mut schema, *rule, number);
    }
    if node.has(Rule::Required) {
        filled(&mut schema);
    }
    schema = schema.described(words(&node.rules, admin));
    schema.admin = admin;
    if node.has(Rule::Nullable) && !node.has(Rule::Required) {
        return schema.or_null();
    }
    schema
}

/// The type of a value: as its rules say, else as its column does.
fn base(node: &Node, column: Option<&ColumnInfo>, is_list: bool) -> Schema {
    let kind = column.map(|column| column.kind);
    let least = node.rules.iter().find_map(|rule| match rule {
        Rule::Min(bound) | Rule::Between(bound, _) => Some(number(*bound)),
        _ => None,
    });
    let positive = least.is_some_and(|least| least.as_f64() >= Some(0.0));
    // `string` is the weakest type: an e-mail address is one too.
    let mut typed = node.rules.iter().filter(|rule| rule.kind().is_some());
    let typed = typed.find(|rule| **rule != Rule::String);
    match typed {
        Some(Rule::Integer) if kind == Some(Kind::Integer) => small(),
        Some(Rule::Integer) => Schema::whole(),
        Some(Rule::Decimal(precision, scale)) => {
            decimal(precision.saturating_sub(*scale), *scale, positive)
        }
        Some(Rule::Numeric) => match kind {
            Some(Kind::Decimal(scale)) => decimal(18, scale, positive),
            Some(Kind::Integer) => small(),
            Some(Kind::BigInt) => Schema::whole(),
            _ => Schema::of("number"),
        },
        Some(Rule::Boolean) => Schema::of("boolean"),
        Some(Rule::Array) => container(node, is_list),
        Some(Rule::Json) => Schema::any(),
        Some(Rule::Email) => Schema::text("email"),
        Some(Rule::Url) => Schema::text("uri"),
        Some(Rule::Uuid) => Schema::text("uuid"),
        Some(Rule::Date) => Schema::text("date"),
        Some(Rule::Time) => Schema::matching(TIME),
        Some(Rule::DateTime) => Schema::text("date-time"),
        _ if node.has(Rule::String) || says_text(node) => Schema::of("string"),
        _ if is_list || !node.members.is_empty() => container(node, is_list),
        _ => kind.map_or_else(Schema::any, |kind| written(kind, positive)),
    }
}

/// Rules that texts alone keep.
fn says_text(node: &Node) -> bool {
    let text = |rule: &Rule| matches!(rule, Rule::Alpha | Rule::DateFormat(_));
    node.rules.iter().any(text)
}

/// The schema of a value that a body sends for a column of this kind.
fn written(kind: Kind, positive: bool) -> Schema {
    match kind {
        Kind::Integer => small(),
        Kind::Decimal(scale) => decimal(18, scale, positive),
        Kind::Time => Schema::matching(TIME),
        other => Schema::shown(other),
    }
}

fn small() -> Schema {
    Schema {
        minimum: Some(i32::MIN.into()),
        maximum: Some(i32::MAX.into()),
        ..Schema::small()
    }
}

/// A decimal: a string, or a number.
pub(super) fn decimal(digits: u32, scale: u32, positive: bool) -> Schema {
    let sign = if positive { "" } else { "-?" };
    let fraction = match scale {
        0 => String::new(),
        scale => format!(r"(\.\d{{1,{scale}}})?"),
    };
    let digits = digits.clamp(1, 18);
    let limit = 10_i64.pow(digits);
    Schema {
        types: Types::Several(vec!["string", "number"]),
        format: Some("decimal"),
        pattern: Some(format!(r"^{sign}\d{{1,{digits}}}{fraction}$")),
        exclusive_minimum: (!positive).then(|| (-limit).into()),
        exclusive_maximum: Some(limit.into()),
        ..Schema::any()
    }
}

/// A list or an object, depending on its members.
fn container(node: &Node, is_list: bool) -> Schema {
    match (
        node.items().is_some() || is_list,
        node.named().next().is_some(),
    ) {
        (true, false) => Schema::list(Schema::any()),
        (false, true) => Schema::of("object"),
        _ => Schema::list_or_object(),
    }
}

fn is_number(schema: &Schema) -> bool {
    match &schema.types {
        Types::One(kind) => matches!(*kind, "integer" | "number"),
        Types::Several(kinds) => kinds.contains(&"number"),
        Types::Any => false,
    }
}

/// Adds the keywords of a rule. Keywords of sizes apply to values of their own type only.
fn keyword(schema: &mut Schema, rule: Rule, is_number: bool) {
    if let (Rule::In(_), Some(list)) = (rule, schema.any_of.first().cloned()) {
        // Words are those of a list's items: no object is one.
        *schema = list;
    }
    for part in &mut schema.any_of {
        keyword(part, rule, is_number);
    }
    if !schema.any_of.is_empty() {
        return;
    }
    match rule {
        Rule::Min(least) => bounds(schema, Some(least), None, is_number),
        Rule::Max(most) => bounds(schema, None, Some(most), is_number),
        Rule::Between(least, most) => bounds(schema, Some(least), Some(most), is_number),
        Rule::Size(size) => bounds(schema, Some(size), Some(size), is_number),
        Rule::In(options) => {
            let options = words_of(options, is_number);
            match &mut schema.items {
                Some(items) => items.choose(options),
                None => schema.choose(options),
            }
        }
        Rule::NotIn(options) if schema.types != Types::One("array") => {
            let options = words_of(options, is_number);
            schema.not = Some(Box::new(Schema {
                options,
                ..Schema::any()
            }));
        }
        Rule::Regex(pattern) if is_portable(pattern) => schema.pattern = Some(pattern.to_owned()),
        _ => {}
    }
}

fn words_of(words: &[&str], is_number: bool) -> Vec<Json> {
    let number = |word: &str| word.parse::<Number>().ok().filter(|_| is_number);
    let word = |word: &&str| number(word).map_or_else(|| Json::from(*word), Json::Number);
    words.iter().map(word).collect()
}

fn bounds(schema: &mut Schema, least: Option<Bound>, most: Option<Bound>, is_number: bool) {
    let any = schema.types == Types::Any;
    let has = |kind: &str| match &schema.types {
        Types::One(one) => *one == kind,
        Types::Several(several) => several.contains(&kind),
        Types::Any => true,
    };
    let (array, object) = (has("array"), has("object"));
    let text = has("string") && !is_number;
    if is_number || any {
        schema.minimum = least
            .map(number)
            .map(Json::Number)
            .or(schema.minimum.take());
        schema.maximum = most.map(number).map(Json::Number).or(schema.maximum.take());
    }
    let (least, most) = (least.and_then(count), most.and_then(count));
    if text {
        schema.min_length = least.or(schema.min_length);
        schema.max_length = most.or(schema.max_length);
    }
    if array {
        schema.min_items = least.or(schema.min_items);
        schema.max_items = most.or(schema.max_items);
    }
    if object {
        schema.min_properties = least.or(schema.min_properties);
        schema.max_properties = most.or(schema.max_properties);
    }
}

/// A required value must not be empty either.
fn filled(schema: &mut Schema) {
    schema.any_of.iter_mut().for_each(filled);
    let at_least_one = |least: Option<u64>| Some(least.unwrap_or(1).max(1));
    match &schema.types {
        Types::One("string") => schema.min_length = at_least_one(schema.min_length),
        Types::One("array") => schema.min_items = at_least_one(schema.min_items),
        Types::One("object") => schema.min_properties = at_least_one(schema.min_properties),
        _ => {}
    }
}

fn number(bound: Bound) -> Number {
    match bound {
        Bound::Whole(number) => number.into(),
        Bound::Fraction(text) => text.parse().unwrap_or_else(|_| 0.into()),
    }
}

/// A bound of a number of characters, items or members.
fn count(bound: Bound) -> Option<u64> {
    match bound {
        Bound::Whole(number) => u64::try_from(number).ok(),
        Bound::Fraction(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use formwork_core::request::rules;

    fn seen(rules: &[Rule]) -> Json {
        let node = Node {
            rules: rules.to_vec(),
            ..Node::default()
        };
        serde_json::to_value(schema(&node, None, false, false)).expect("JSON")
    }

    #[test]
    fn sizes_are_those_of_the_type() {
        let text = json!({"type": "string", "minLength": 2, "maxLength": 9});
        assert_eq!(seen(&[rules::string(), rules::between(2, 9)]), text);
        let number = json!({"type": "integer", "format": "int64", "minimum": 2, "maximum": 2});
        assert_eq!(seen(&[rules::integer(), rules::size(2)]), number);
        let list = json!({"type": "array", "items": {}, "maxItems": 3});
        let either = json!({"anyOf": [list, {"type": "object", "maxProperties": 3}]});
        assert_eq!(seen(&[rules::array(), rules::max(3)]), either);
        let any = json!({"minimum": 1, "minLength": 1, "minItems": 1, "minProperties": 1});
        assert_eq!(seen(&[rules::min(1)]), any, "nothing says what it is");
    }

    #[test]
    fn a_rule_of_ones_own_is_described_in_words() {
        let rules = [rules::string(), rules::custom("shop.iban")];
        let text = json!({"type": "string", "description": "Rules: `custom:shop.iban`."});
        assert_eq!(seen(&rules), text);
    }

    #[test]
    fn required_values_are_neither_null_nor_empty() {
        let both = [rules::required(), rules::nullable(), rules::string()];
        assert_eq!(seen(&both), json!({"type": "string", "minLength": 1}));
        let word = [rules::nullable(), rules::string(), rules::one_of(&["a"])];
        assert_eq!(
            seen(&word),
            json!({"type": ["string", "null"], "enum": ["a", null]})
        );
    }

    /// Generators of clients know no type that is a list or something else.
    #[test]
    fn a_list_or_an_object_is_one_of_two() {
        let list = json!({"type": "array", "items": {}});
        let object = json!({"type": "object"});
        let nothing = json!({"type": "null"});
        assert_eq!(seen(&[rules::array()])["anyOf"], json!([list, object]));
        let nullable = seen(&[rules::nullable(), rules::array()]);
        assert_eq!(nullable["anyOf"], json!([list, object, nothing]));
        let filled = seen(&[rules::required(), rules::array()]);
        assert_eq!(filled["anyOf"][0]["minItems"], 1);
        assert_eq!(filled["anyOf"][1]["minProperties"], 1);
        let words = seen(&[rules::array(), rules::one_of(&["a"])]);
        assert_eq!(
            words,
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}})
        );
    }

    #[test]
    fn numbers_among_words_are_numbers() {
        let schema = seen(&[rules::integer(), rules::one_of(&["1", "2"])]);
        assert_eq!(schema["enum"], json!([1, 2]));
        let schema = seen(&[rules::string(), rules::none_of(&["1"])]);
        assert_eq!(schema["not"]["enum"], json!(["1"]));
    }

    #[test]
    fn patterns_that_javascript_reads_otherwise_stand_in_words() {
        assert_eq!(
            seen(&[rules::regex("^a(?:b|c)+$")])["pattern"],
            "^a(?:b|c)+$"
        );
        for foreign in [
            "(?i)a",
            r"\Aa\z",
            r"^\pL+$",
            r"^\p{L}+$",
            r"^\P{L}+$",
            "[[:alpha:]]",
            r"[a-z&&[^b]]",
        ] {
            let schema = seen(&[rules::regex(foreign)]);
            assert!(schema["pattern"].is_null(), "{schema}");
            let words = schema["description"].as_str().unwrap_or_default();
            assert!(words.contains(foreign), "{words}");
        }
    }

    #[test]
    fn rules_without_a_keyword_are_described_in_words() {
        let schema = seen(&[
            rules::string(),
            rules::unique(),
            rules::required_if("a", &["b"]),
        ]);
        assert_eq!(schema["description"], "Rules: `unique`, `required_if:a,b`.");
        let schema = seen(&[rules::decimal(6, 2), rules::min(0)]);
        assert_eq!(schema["pattern"], r"^\d{1,4}(\.\d{1,2})?$");
        assert_eq!(
            (&schema["minimum"], &schema["exclusiveMaximum"]),
            (&json!(0), &json!(10_000))
        );
    }
}
