//! Edits of the kinds that a team makes in poured files over the months. What they write holds the
//! word `mine` and a number, so that each line can be identified.

use formwork_cli::merge::Language;

use crate::triples::Random;

/// A file with up to six edits that leave what parses.
pub fn edited(random: &mut Random, language: Language, base: &str) -> String {
    let mut text = base.to_owned();
    for _ in 0..1 + random.below(6) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match language {
            Language::Rust => edit_rust(random, &mut lines),
            _ => edit_prose(random, &mut lines),
        }
        let edited = lines.join("\n") + "\n";
        if language.parses(&edited) {
            text = edited;
        }
    }
    text
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_end(line: &str) -> bool {
    line.trim_start().starts_with(['}', ']', ')'])
}

/// The innermost block of line `at`: the line that opens it, and the depth of its lines.
fn block(lines: &[String], at: usize) -> (&str, usize) {
    let line = &lines[at];
    let deep = indent(line) + if is_end(line) { 4 } else { 0 };
    let above = lines[..at].iter().rev();
    let mut heads = above.filter(|line| !line.is_empty() && indent(line) < deep);
    (heads.next().map_or("", |line| line.trim()), deep)
}

fn edit_rust(random: &mut Random, lines: &mut Vec<String>) {
    let at = random.below(lines.len());
    match random.below(12) {
        0..6 => add(random, lines, at),
        6 => lines[at] = format!("{} // mine {}", lines[at], random.below(1000)),
        7 => change(random, lines, at),
        8 => remove(lines, at),
        9 => shift(random, lines, at),
        10 => attach(random, lines, at),
        _ => rename(random, lines, at),
    }
}

/// A new item of the kind in that place.
fn add(random: &mut Random, lines: &mut Vec<String>, at: usize) {
    let number = random.below(1000);
    let (head, deep) = block(lines, at);
    let is_list = head.ends_with("&[");
    let new = match () {
        () if lines[at].is_empty() => return,
        () if deep == 0 && lines[at].starts_with("use ") => vec![format!("use std::mine{number};")],
        () if deep == 0 => item(random, number),
        () if head.contains("struct ") => field(random, number),
        () if head.starts_with("impl") => method(random, number),
        () if is_list && lines[at].contains("attribute(") => {
            vec![format!("attribute(\"mine_{number}\", &[string()]),")]
        }
        () if is_list => vec![format!("\"mine_{number}\",")],
        () if head.contains("fn ") => match random.below(3) {
            0 => vec![format!("// Mine {number}: mind the order.")],
            1 => vec![format!("let mine_{number} = {number};")],
            _ => vec![
                format!("if mine_{number}() {{"),
                format!("    mine({number});"),
                "}".to_owned(),
            ],
        },
        () => vec![format!("// mine {number}")],
    };
    let space = " ".repeat(deep);
    let new = new.into_iter().map(|line| match line.as_str() {
        "" => line,
        _ => format!("{space}{line}"),
    });
    lines.splice(at..at, new);
}

fn item(random: &mut Random, number: usize) -> Vec<String> {
    let text = match random.below(4) {
        0 => format!("/// Mine {number}.\npub fn mine_{number}() -> u8 {{\n    {number}\n}}\n"),
        1 => format!("impl Mine{number} {{\n    fn mine_{number}(&self) {{}}\n}}\n"),
        2 => format!(
            "#[cfg(test)]\nmod mine_{number} {{\n    use super::*;\n\n    #[test]\n    fn mine_{number}() {{}}\n}}\n"
        ),
        _ => format!("const MINE_{number}: &str = \"mine {number} {{ (\";\n"),
    };
    text.lines()
        .map(str::to_owned)
        .chain([String::new()])
        .collect()
}

fn field(random: &mut Random, number: usize) -> Vec<String> {
    let attached = match random.below(3) {
        0 => Some(format!("/// Mine {number}.")),
        1 => Some("#[serde(skip)]".to_owned()),
        _ => None,
    };
    attached
        .into_iter()
        .chain([format!("pub mine_{number}: u8,")])
        .collect()
}

fn method(random: &mut Random, number: usize) -> Vec<String> {
    let text = match random.below(3) {
        0 => format!(
            "\n/// Mine {number}.\nfn mine_{number}(&self) -> u8 {{\n    mine({number})\n}}\n"
        ),
        1 => format!(
            "\nasync fn mine_{number}(&self, ctx: &Context) -> Result<()> {{\n    if ctx.mine({number}) {{\n        return Ok(());\n    }}\n    Ok(())\n}}\n"
        ),
        _ => format!("const MINE_{number}: u8 = {number};\n"),
    };
    text.lines()
        .map(str::to_owned)
        .chain([String::new()])
        .collect()
}

/// Another value, another text, a body that is written.
fn change(random: &mut Random, lines: &mut [String], at: usize) {
    let number = random.below(1000);
    let line = &lines[at];
    lines[at] = match () {
        () if line.contains("Err(Error::unfinished(") => {
            let space = " ".repeat(indent(line));
            format!("{space}let mine = mine_{number}();\n{space}mine.apply()")
        }
        () if line.trim_start().starts_with("///") => {
            format!("{}/// Mine {number}.", " ".repeat(indent(line)))
        }
        () if line.contains("i32,") => line.replace("i32,", &format!("Mine{number},")),
        () if line.contains("String,") => line.replace("String,", &format!("Mine{number},")),
        () if line.contains("string()") => {
            line.replacen("string()", &format!("string(), mine({number})"), 1)
        }
        () if line.ends_with(';') && line.contains("to.") => {
            line.replace(';', &format!(".mine({number});"))
        }
        () => return,
    };
}

/// The lines of the item that begins in line `at`, where one does.
fn item_at(lines: &[String], at: usize) -> Option<std::ops::Range<usize>> {
    let deep = indent(&lines[at]);
    if lines[at].is_empty() || is_end(&lines[at]) || deep == 0 {
        return None;
    }
    if lines[at].ends_with([',', ';']) {
        return Some(at..at + 1);
    }
    let end = lines[at..]
        .iter()
        .position(|line| indent(line) == deep && is_end(line))?;
    Some(at..at + end + 1)
}

fn remove(lines: &mut Vec<String>, at: usize) {
    if let Some(item) = item_at(lines, at) {
        lines.drain(item);
    }
}

/// Moves an item to another place of its list.
fn shift(random: &mut Random, lines: &mut Vec<String>, at: usize) {
    let Some(item) = item_at(lines, at) else {
        return;
    };
    let deep = indent(&lines[at]);
    let item: Vec<String> = lines.drain(item).collect();
    let places = (0..lines.len())
        .filter(|to| to.abs_diff(at) < 12 && indent(&lines[*to]) == deep && !is_end(&lines[*to]));
    let places: Vec<usize> = places.collect();
    let to = places.get(random.below(places.len())).map_or(at, |to| *to);
    lines.splice(to..to, item);
}

fn attach(random: &mut Random, lines: &mut Vec<String>, at: usize) {
    if item_at(lines, at).is_none() {
        return;
    }
    let space = " ".repeat(indent(&lines[at]));
    let number = random.below(1000);
    let new = match random.below(3) {
        0 => format!("{space}// Mine {number}: because."),
        1 => format!("{space}#[cfg(feature = \"mine_{number}\")]"),
        _ => format!("{space}#[allow(mine_{number})]"),
    };
    lines.insert(at, new);
}

/// A field gets another name, everywhere in the file.
fn rename(random: &mut Random, lines: &mut [String], at: usize) {
    let Some(name) = lines[at]
        .trim()
        .strip_prefix("pub ")
        .and_then(|rest| rest.split(':').next())
    else {
        return;
    };
    let (name, number) = (name.to_owned(), random.below(1000));
    if name.contains('_') && !name.contains(' ') {
        for line in lines {
            *line = line.replace(&format!(".{name}"), &format!(".mine_{number}"));
            *line = line.replace(&format!("pub {name}:"), &format!("pub mine_{number}:"));
        }
    }
}

fn edit_prose(random: &mut Random, lines: &mut Vec<String>) {
    let (at, number) = (random.below(lines.len()), random.below(1000));
    let line = lines[at].clone();
    match (random.below(4), line.as_str()) {
        (0, "") => lines.insert(at, format!("\nMine {number} is a word on this.")),
        (_, row) if row.starts_with("| `") => match random.below(4) {
            0 => lines.insert(at, format!("| `mine_{number}` | mine |  |  |  |")),
            1 => drop(lines.remove(at)),
            _ => lines[at] = row.trim_end_matches("|").to_owned() + &format!("Mine {number}. |"),
        },
        (_, entry) if entry.starts_with("* ") => lines.insert(at, format!("* mine {number}")),
        (_, "") => {}
        (1, text) if !text.starts_with(['|', '#']) => lines[at] = format!("{text} Mine {number}."),
        _ => {}
    }
}
