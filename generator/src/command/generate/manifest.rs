//! The manifest that the command line writes or adds to.

use anyhow::Result;
use toml_edit::DocumentMut;

use crate::cli::{ModelArgs, NewArgs, ResourceArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::edit::{self, EditError};
use crate::manifest::shorthand::{self, NewManifest, Shorthand};
use crate::manifest::{ManifestKind, Sources, manifest_path};
use crate::name;
use crate::plan::ManifestEdit;
use crate::run::command_source::CommandSource;
use crate::run::request::{Request, units_of};
use crate::suggestion::quoted;

/// The extension of a project that has none, where the command line names none.
const FIRST: &str = "app";

/// The options of the command line for a manifest.
struct Wanted<'a> {
    kind: ManifestKind,
    name: &'a str,
    new: &'a NewArgs,
    actions: String,
    repository: Option<&'a str>,
}

/// An option that is given: its name, the path of keys that it writes in the manifest, and its value.
type Given<'a> = (&'static str, &'static [&'static str], &'a str);

/// Writes or extends a resource's manifest in the sources.
pub(super) fn of_resource(sources: Sources, args: &ResourceArgs) -> Result<Request> {
    if !args.actions.is_empty() && args.actions.iter().all(|action| action.trim().is_empty()) {
        let problem = "--actions names no action";
        let help = "write `--actions index,show`, or leave the option out for all actions";
        return Err(Refused::new(Exit::Usage, problem).with_help(help).into());
    }
    let wanted = Wanted {
        kind: ManifestKind::Resource,
        name: name_of(&args.new, ManifestKind::Resource, &sources)?,
        new: &args.new,
        actions: args.actions.join(","),
        repository: args.repository.as_deref(),
    };
    wanted.request(sources)
}

/// Writes or extends a supporting model's manifest in the sources.
pub(super) fn of_model(sources: Sources, args: &ModelArgs) -> Result<Request> {
    let wanted = Wanted {
        kind: ManifestKind::Model,
        name: name_of(&args.new, ManifestKind::Model, &sources)?,
        new: &args.new,
        actions: String::new(),
        repository: None,
    };
    wanted.request(sources)
}

/// The name that the command line gives, or a refusal with a line to write.
fn name_of<'a>(
    new: &'a NewArgs,
    kind: ManifestKind,
    sources: &Sources,
) -> Result<&'a str, Refused> {
    let kind_word = kind.word();
    let problem = match new.name() {
        Some(word) if name::is_word(word) => return Ok(word),
        Some(word) => {
            format!(
                "`{word}` is not a valid name for a {kind_word}: write it in letters, digits and `_`, as `menus` or `menu_items`"
            )
        }
        None => format!("the name of the {kind_word} is missing"),
    };
    let refused = Refused::new(Exit::Usage, problem);
    if new.name().is_some() {
        return Err(refused);
    }
    let extensions: Vec<&str> = sources.extension_folders().into_iter().collect();
    let extension = match extensions.as_slice() {
        // It may be left out.
        [_] => String::new(),
        [first, ..] => format!("{first} "),
        [] => "shop ".to_owned(),
    };
    let help =
        format!("write `formwork generate {kind_word} {extension}dishes title:string:required`");
    Err(refused.with_help(help))
}

/// Folder of the extension `id`, declared in the sources where no `Cargo.toml` names it yet.
pub(super) fn declare(sources: &mut Sources, id: &str) -> Result<String> {
    let names = name::extension(id).map_err(|reason| Refused::new(Exit::Usage, reason))?;
    if sources.extension_cargo(&names.folder).is_none() {
        sources.declare_extension(names.folder.clone(), id);
    }
    Ok(names.folder)
}

/// The `Cargo.toml` of an extension that is not there yet.
pub(super) fn cargo_to_make(sources: &Sources, folder: &str) -> Option<String> {
    let path = format!("extensions/{folder}/Cargo.toml");
    sources.bytes(&path).is_none().then_some(path)
}

impl Wanted<'_> {
    fn request(&self, mut sources: Sources) -> Result<Request> {
        let extension = self.extension(&sources)?;
        let folder = declare(&mut sources, &extension)?;
        let (key, path) = self.place(&sources, &folder)?;
        let shorthand = self.shorthand()?;
        let before = sources.bytes(&path).map(<[u8]>::to_vec);
        let text = match before.as_deref().map(str::from_utf8) {
            Some(Ok(text)) => self.extended(text, &shorthand, &path)?,
            // Not UTF-8.
            Some(Err(_)) => None,
            None => Some(self.written(&key, shorthand)),
        };
        let (mut edits, mut command) = (Vec::new(), None);
        if let Some(text) = text.filter(|text| before.as_deref() != Some(text.as_bytes())) {
            sources.set(path.clone(), text.clone());
            let cargo = cargo_to_make(&sources, &folder);
            command = Some(self.command_source(&path, &text, before.is_none(), cargo));
            edits.push(ManifestEdit {
                path,
                unit: format!("{folder}.{key}"),
                before,
                after: Some(text),
            });
        }
        Ok(Request {
            units: Some(units_of(&folder, Some(&key))),
            edits,
            command,
            ..Request::all(sources)
        })
    }

    fn shorthand(&self) -> Result<Shorthand, Refused> {
        let attributes: Vec<&str> = self.new.attributes().collect();
        shorthand::parse(&attributes).map_err(|mistakes| {
            let problems = mistakes.iter().map(ToString::to_string);
            Refused::all(Exit::Usage, problems.collect())
        })
    }

    /// The extension that is named, else the only one there is, else [`FIRST`].
    fn extension(&self, sources: &Sources) -> Result<String, Refused> {
        if let Some(named) = self.new.extension() {
            return Ok(named.to_owned());
        }
        let (kind_word, word) = (self.kind.word(), self.name);
        let known: Vec<&str> = sources.extension_folders().into_iter().collect();
        let line = |extension: &str, word: &str| {
            let attributes: String = self.new.attributes().map(|one| format!(" {one}")).collect();
            format!("write `formwork generate {kind_word} {extension} {word}{attributes}`")
        };
        let refused =
            |problem: String, help: String| Err(Refused::new(Exit::Usage, problem).with_help(help));
        match known.as_slice() {
            _ if known.contains(&word) => refused(
                format!("`{word}` is an extension: the name of the {kind_word} is missing"),
                line(word, "NAME"),
            ),
            [] if package(sources).as_deref() != Some(FIRST) => Ok(FIRST.to_owned()),
            [] => refused(
                format!("`{word}` needs an extension, and there is none yet"),
                line("shop", word),
            ),
            [only] => Ok((*only).to_owned()),
            [first, ..] => refused(
                format!(
                    "`{word}` could belong to any of the extensions {}",
                    quoted(&known)
                ),
                line(first, word),
            ),
        }
    }

    /// Key and path of the manifest. Resources and models share their keys.
    fn place(&self, sources: &Sources, folder: &str) -> Result<(String, String), Refused> {
        let known = || sources.manifests().filter(|file| file.folder == folder);
        let key = name::key_of(self.name, known().map(|file| file.stem));
        match known().find(|file| file.stem == key && file.kind != self.kind) {
            Some(other) => {
                let problem = format!("`{key}` is described by {} already", other.path);
                Err(Refused::new(Exit::Usage, problem))
            }
            None => {
                let path = manifest_path(folder, self.kind, &key);
                Ok((key, path))
            }
        }
    }

    fn written(&self, key: &str, shorthand: Shorthand) -> String {
        shorthand::write(&NewManifest {
            key,
            kind: Some(self.kind),
            table: self.new.table.as_deref(),
            actions: (!self.actions.is_empty()).then_some(self.actions.as_str()),
            repository: self.repository,
            shorthand,
        })
    }

    /// An existing resource gets the missing attributes; other changes are made in its manifest. A file that is
    /// not YAML stays as it is (`None`), and is reported with all other mistakes.
    fn extended(
        &self,
        text: &str,
        shorthand: &Shorthand,
        path: &str,
    ) -> Result<Option<String>, Refused> {
        let refused = self.options().map(|(option, ..)| {
            format!("{option}: {path} is there already: change it in the manifest, then run formwork generate")
        });
        Refused::unless_empty(Exit::Usage, refused.collect())?;
        match edit::add(text, shorthand) {
            Ok(text) => Ok(Some(text)),
            Err(EditError::Unreadable) => Ok(None),
            Err(error) => Err(Refused::new(Exit::Usage, format!("{path}: {error}"))),
        }
    }

    fn options(&self) -> impl Iterator<Item = Given<'_>> {
        let actions = Some(self.actions.as_str()).filter(|actions| !actions.is_empty());
        let all: [(_, &'static [_], _); 3] = [
            ("--actions", &["actions"], actions),
            ("--repository", &["repository"], self.repository),
            ("--table", &["model", "table"], self.new.table.as_deref()),
        ];
        all.into_iter()
            .filter_map(|(option, path, value)| Some((option, path, value?)))
    }

    /// The command line, and what each word of it became in the manifest.
    fn command_source(
        &self,
        path: &str,
        text: &str,
        is_new: bool,
        cargo: Option<String>,
    ) -> CommandSource {
        let mut source = CommandSource::new(
            path,
            text,
            &format!("formwork generate {}", self.kind.word()),
        );
        match (self.new.extension(), cargo) {
            (Some(extension), Some(cargo)) => source.file(extension, &cargo),
            (Some(extension), None) => source.word(extension),
            (None, _) => {}
        }
        match is_new {
            true => source.file(self.name, path),
            false => source.word(self.name),
        }
        for attribute in self.new.attributes() {
            let name = attribute.split(':').next().unwrap_or_default();
            let relation = name.strip_suffix("_id").unwrap_or(name);
            let column = ["model", "attributes", name];
            source.entry(attribute, &[&column, &["model", "relations", relation]]);
        }
        for (option, path, value) in self.options() {
            source.word(option);
            source.entry(value, &[path]);
        }
        source
    }
}

/// The name of the project's own package.
fn package(sources: &Sources) -> Option<String> {
    let cargo: DocumentMut = sources.cargo()?.parse().ok()?;
    let name = cargo.get("package")?.get("name")?;
    name.as_str().map(str::to_owned)
}
