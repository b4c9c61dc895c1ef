//! Actions, contexts and abilities of a resource (docs/guide/manifest.md, "Access to actions").

use crate::diagnostic::Code;
use crate::manifest::{Node, Span, Value};
use crate::project::{Action, ActionEntry, Context};
use crate::suggestion::did_you_mean;

use super::report::{Report, Word};

/// The actions of a manifest without `actions`.
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
pub fn read(node: &Node, report: &mut Report<'_>) -> Vec<ActionEntry> {
    let mut found: Vec<(ActionEntry, Span)> = Vec::new();
    let items = report.list(node, "`actions`").unwrap_or_default();
    if items.is_empty() && matches!(node.value, Value::Sequence(..)) {
        report
            .error(
                Code::Missing,
                node.span,
                "a resource needs at least one action",
            )
            .help("list one, or move the manifest to `models/`, where it has no routes");
    }
    for item in items {
        let Some(word) = action_word(item, report) else {
            continue;
        };
        let Some(entry) = parse(&word, item, report) else {
            continue;
        };
        match found
            .iter()
            .find(|(earlier, _)| earlier.action == entry.action)
        {
            Some((_, earlier)) => duplicate(&word, *earlier, report),
            None => found.push((entry, item.span)),
        }
        warn_if_open(entry, item.span, report);
    }
    found.sort_by_key(|(entry, _)| entry.action);
    found.into_iter().map(|(entry, _)| entry).collect()
}

fn action_word(item: &Node, report: &mut Report<'_>) -> Option<Word> {
    if let Value::Mapping(pairs, _) = &item.value
        && let [(action, context)] = &pairs[..]
        && let (Some(action), Some(context)) = (action.as_text(), context.as_text())
    {
        report.wrong_type(item, "an action", "text").help(format!(
            "write `\"{action}:{context}\"`, without a space after the colon"
        ));
        return None;
    }
    report.word(item, "an action")
}

fn parse(word: &Word, item: &Node, report: &mut Report<'_>) -> Option<ActionEntry> {
    let (action, context) = match word.text.split_once(':') {
        Some((action, context)) => (action.trim(), Some(context.trim())),
        None => (word.text.trim(), None),
    };
    let action = Action::named(action).or_else(|| {
        report
            .error(
                Code::UnknownAction,
                item.part(0, action.len()),
                format!("unknown action `{action}`"),
            )
            .maybe_help(did_you_mean(action, &Action::ALL.map(Action::name)));
        None
    });
    let context = match context {
        None => Some(Context::All),
        Some(context) => Context::named(context).or_else(|| {
            let at = word.text.rfind(context).unwrap_or_default();
            report
                .error(
                    Code::UnknownContext,
                    item.part(at, context.len().max(1)),
                    format!("unknown context `{context}`"),
                )
                .maybe_help(did_you_mean(context, &Context::ALL.map(Context::name)));
            None
        }),
    };
    Some(ActionEntry {
        action: action?,
        context: context?,
    })
}

fn duplicate(word: &Word, earlier: Span, report: &mut Report<'_>) {
    let action = word.text.split(':').next().unwrap_or_default();
    let path = report.path;
    report
        .error(
            Code::DuplicateAction,
            word.span,
            format!("the action `{action}` is listed twice"),
        )
        .related(path, earlier, "first here")
        .help("leave one of them out: an action has one context");
}

/// `manifest check` warns where store, update or destroy is open.
fn warn_if_open(entry: ActionEntry, span: Span, report: &mut Report<'_>) {
    let writes = matches!(
        entry.action,
        Action::Store | Action::Update | Action::Destroy
    );
    if !writes || !matches!(entry.context, Context::All | Context::Guest) {
        return;
    }
    let name = entry.action.name();
    report
        .warning(
            Code::OpenWrite,
            span,
            format!("`{name}` is open to everyone, without a token"),
        )
        .help(format!(
            "write `\"{name}:admin\"`, `\"{name}:customer\"` or `\"{name}:users\"`"
        ));
}

/// Reads `abilities`: a string or a list.
pub fn abilities(node: &Node, report: &mut Report<'_>) -> Vec<String> {
    let words = match node.value {
        Value::Scalar(_) => report.word(node, "`abilities`").into_iter().collect(),
        _ => report.words(node, "`abilities`"),
    };
    for word in &words {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '*' | '.' | ':' | '-' | '_');
        if !word.text.chars().all(fits) {
            report
                .error(
                    Code::IllegalName,
                    word.span,
                    format!("`{}` is not an ability", word.text),
                )
                .help("use letters, digits, `*`, `.`, `:`, `-` and `_`: `menus:*`");
        }
    }
    words.into_iter().map(|word| word.text).collect()
}
