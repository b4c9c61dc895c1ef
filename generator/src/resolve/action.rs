//! Actions, contexts and abilities of a resource (docs/guide/manifest.md, "Access to actions").

use crate::diagnostic::Code;
use crate::manifest::{Span, Value};
use crate::project::{Action, ActionEntry, Context};
use crate::suggestion::did_you_mean;

use super::reader::Reader;

/// Returns the actions of a manifest without `actions`.
pub fn defaults() -> Vec<ActionEntry> {
    let entry = |action, context| ActionEntry { action, context };
    vec![
        entry(Action::Index, Context::All),
        entry(Action::Store, Context::Admin),
        entry(Action::Show, Context::All),
        entry(Action::Update, Context::Admin),
        entry(Action::Destroy, Context::Admin),
    ]
}

/// Reads `actions`, and returns them in their fixed order.
pub fn read(list: &Reader<'_>) -> Vec<ActionEntry> {
    let mut entries: Vec<(ActionEntry, Span)> = Vec::new();
    if list.node.is_empty_list() {
        let message = "a resource needs at least one action";
        let help = "list one, or move the manifest to `models/`, where it has no routes";
        list.reject(Code::Missing, message, help);
    }
    for item in list.items() {
        let item = item.named("an action");
        let Some(entry) = parse(&item) else { continue };
        let mut earlier = entries.iter();
        match earlier.find(|(earlier, _)| earlier.action == entry.action) {
            Some((_, span)) => reject_duplicate(entry.action, *span, &item),
            None => entries.push((entry, item.node.span)),
        }
        warn_if_open(entry, &item);
    }
    entries.sort_by_key(|(entry, _)| entry.action);
    entries.into_iter().map(|(entry, _)| entry).collect()
}

fn parse(item: &Reader<'_>) -> Option<ActionEntry> {
    if let Value::Mapping(pairs, _) = &item.node.value
        && let [(action, context)] = &pairs[..]
        && let (Some(action), Some(context)) = (action.as_text(), context.as_text())
    {
        let help = format!("write `\"{action}:{context}\"`, without a space after the colon");
        item.wrong_type("text").help(help);
        return None;
    }
    let text = item.text()?;
    let (action, context) = text.split_once(':').unwrap_or((text, "all"));
    let (action, context) = (action.trim(), context.trim());
    let unknown = |code, word: &str, at: usize, label: &str, known: &[&str]| {
        let span = item.node.part(at, word.len().max(1));
        let (report, message) = (item.report, format!("unknown {label} `{word}`"));
        report
            .error(code, span, message)
            .maybe_help(did_you_mean(word, known));
    };
    let known = (Action::named(action), Context::named(context));
    if known.0.is_none() {
        let actions = Action::ALL.map(Action::name);
        unknown(Code::UnknownAction, action, 0, "action", &actions);
    }
    if known.1.is_none() {
        let at = text.rfind(context).unwrap_or_default();
        let contexts = Context::ALL.map(Context::name);
        unknown(Code::UnknownContext, context, at, "context", &contexts);
    }
    let (action, context) = (known.0?, known.1?);
    Some(ActionEntry { action, context })
}

fn reject_duplicate(action: Action, first: Span, item: &Reader<'_>) {
    let message = format!("the action `{}` is listed twice", action.name());
    let mut error = item.error(Code::DuplicateAction, message);
    error.related(item.report.path, first, "first here");
    error.help("leave one of them out: an action has one context");
}

/// Warns if everyone may store, update or destroy.
fn warn_if_open(entry: ActionEntry, item: &Reader<'_>) {
    use Action::{Destroy, Store, Update};
    let writes = matches!(entry.action, Store | Update | Destroy);
    if !writes || !matches!(entry.context, Context::All | Context::Guest) {
        return;
    }
    let name = entry.action.name();
    let message = format!("`{name}` is open to everyone, without a token");
    let help = format!("write `\"{name}:admin\"`, `\"{name}:customer\"` or `\"{name}:users\"`");
    item.report
        .warn(Code::OpenWrite, item.node.span, message, help);
}

/// Reads `abilities`: a string or a list.
pub fn abilities(node: &Reader<'_>) -> Vec<String> {
    let words = node.one_or_more_words();
    let is_legal = |c: char| c.is_ascii_alphanumeric() || "*.:-_".contains(c);
    for word in &words {
        if !word.text.chars().all(is_legal) {
            let message = format!("`{}` is not an ability", word.text);
            let help = "use letters, digits, `*`, `.`, `:`, `-` and `_`: `menus:*`";
            node.report
                .reject(Code::IllegalName, word.span, message, help);
        }
    }
    words.into_iter().map(|word| word.text).collect()
}
