//! Examples at the end of each command's help.

pub(super) const FORMWORK: &str = "\
Examples:
  formwork new bistro
  formwork generate resource shop dishes title:string:required price:decimal
  formwork generate";

pub(super) const DEMO: &str = "\
Examples:
  formwork demo
  formwork demo --path /tmp/restaurant --port 9000
  formwork demo --database-url postgres://postgres@127.0.0.1/restaurant";

pub(super) const NEW: &str = "\
Examples:
  formwork new bistro
  formwork new my-service --name bistro
  formwork new trial --example helpdesk";

pub(super) const GENERATE: &str = "\
Examples:
  formwork generate
  formwork generate --check
  formwork generate --dry-run --diff
  formwork generate --theirs extensions/shop/docs";

pub(super) const EXTENSION: &str = "\
Examples:
  formwork generate extension shop
  formwork generate extension igniter.cart";

pub(super) const RESOURCE: &str = "\
Examples:
  formwork generate resource shop dishes title:string:required price:decimal:min=0
  formwork generate resource shop orders dish:references:dishes status:enum:open,closed:default=open
  formwork generate resource shop dishes --actions index,show,store:users";

pub(super) const MODEL: &str = "\
Examples:
  formwork generate model shop currencies code:string:3:required:unique";

pub(super) const DESTROY: &str = "\
Examples:
  formwork destroy resource shop dishes --dry-run
  formwork destroy resource shop dishes
  formwork destroy extension shop";

pub(super) const STATUS: &str = "\
Examples:
  formwork status
  formwork status --format json";

pub(super) const MANIFEST: &str = "\
Examples:
  formwork manifest check
  formwork manifest schema > resource.schema.json";

pub(super) const TEMPLATES: &str = "\
Examples:
  formwork templates list
  formwork templates eject resource/controller
  formwork templates diff";

pub(super) const COMPLETIONS: &str = "\
Examples:
  formwork completions bash
  echo 'source <(formwork completions bash)' >> ~/.bashrc
  echo 'source <(formwork completions zsh)' >> ~/.zshrc
  echo 'formwork completions fish | source' >> ~/.config/fish/config.fish";

pub(super) const MAN: &str = "\
Examples:
  formwork man | man -l -
  formwork man generate resource | man -l -
  formwork man --dir ~/.local/share/man/man1";

pub(super) const DESTROY_RESOURCE: &str = "\
Examples:
  formwork destroy resource shop dishes --dry-run
  formwork destroy resource shop dishes";

pub(super) const DESTROY_MODEL: &str = "\
Examples:
  formwork destroy model shop currencies";

pub(super) const DESTROY_EXTENSION: &str = "\
Examples:
  formwork destroy extension shop --dry-run
  formwork destroy extension shop";

pub(super) const MANIFEST_CHECK: &str = "\
Examples:
  formwork manifest check
  formwork manifest check --format json";

pub(super) const MANIFEST_SCHEMA: &str = "\
Examples:
  formwork manifest schema > resource.schema.json";

pub(super) const TEMPLATES_LIST: &str = "\
Examples:
  formwork templates list";

pub(super) const TEMPLATES_EJECT: &str = "\
Examples:
  formwork templates eject resource/controller.rs.tera";

pub(super) const TEMPLATES_DIFF: &str = "\
Examples:
  formwork templates diff
  formwork templates diff resource/controller";

#[cfg(feature = "import")]
pub(super) const IMPORT: &str = "\
Examples:
  formwork import --database-url sqlite://shop.db
  formwork import --database-url mysql://root@127.0.0.1/bistro --prefix ti_ --ext bistro
  formwork import --database-url postgres://reader@db.example/shop --tables orders,customers --check";
