//! From the requested includes to the loaded relations.

use std::{collections::BTreeSet, mem::replace};

use formwork_data::error::{Error, Result};

use super::Fieldsets;
use crate::{
    action::Action,
    auth::Caller,
    context::Context,
    includes::{Includes, Node, TargetNode},
    params::{Include, LEVELS, did_you_mean},
    registry::Entry,
    source::Resolved,
};

/// The relations to load for records of the source at `resource`: those that the client requested,
/// default includes that are not excluded, and those that computed attributes need.
///
/// # Errors
/// 400 naming an unknown relation (with "did you mean"), 403 naming one the caller may not see.
pub fn plan(
    ctx: &Context,
    resource: usize,
    include: &[Include],
    exclude: &[String],
) -> Result<Includes> {
    let mut plan = Plan {
        ctx,
        fieldsets: Fieldsets::read(ctx, ctx.params().fields())?,
        // With `include`, only the named relations are included (jsonapi.org, "Inclusion of Related
        // Resources").
        defaults: !(ctx.params().asks_includes() && ctx.rendering().is_json_api()),
        exclude,
        path: Vec::new(),
        as_guest: false,
    };
    let kind = entry(ctx, resource)?.key;
    let mut includes = plan.level(resource, kind, include)?;
    includes.asked = ctx.params().asks_includes();
    plan.check_excluded(resource)?;
    Ok(includes)
}

struct Plan<'a> {
    ctx: &'a Context,
    fieldsets: Fieldsets,
    /// Whether default includes are added.
    defaults: bool,
    exclude: &'a [String],
    /// The names above, as the client wrote them.
    path: Vec<String>,
    /// Whether the records above are seen as a guest sees them.
    as_guest: bool,
}

static GUEST: Caller = Caller::Guest;

impl Plan<'_> {
    /// The caller to whom the records of this level are shown.
    fn caller(&self) -> &Caller {
        if self.as_guest {
            &GUEST
        } else {
            self.ctx.caller()
        }
    }

    /// The relations and fields of the records of a source whose type in JSON:API is `kind`.
    fn level(&mut self, source: usize, kind: &str, asked: &[Include]) -> Result<Includes> {
        let ctx = self.ctx;
        let entry = entry(ctx, source)?;
        let relations = entry.source.relations();
        self.check_known(asked, relations)?;
        let fields = self.fieldsets.of(ctx, kind, entry.key);
        let mut nodes = Vec::new();
        for (relation, resolved) in relations.iter().enumerate() {
            let wish = asked
                .iter()
                .find(|include| include.name == resolved.info.name);
            let shown = wish.is_some() || self.by_default(resolved)?;
            if !shown && !resolved.info.always {
                continue;
            }
            let children = wish.map_or(&[][..], |include| include.children.as_slice());
            let targets = match shown || fields.need(resolved.info.needed_by) {
                true => self.targets(resolved, shown, children)?,
                false => Vec::new(),
            };
            nodes.push(Node {
                relation,
                name: resolved.info.name,
                shown,
                targets,
            });
        }
        Ok(Includes {
            nodes,
            fields,
            asked: false,
        })
    }

    /// Whether a relation is included by default: only where the caller may see it.
    fn by_default(&mut self, resolved: &Resolved) -> Result<bool> {
        let info = resolved.info;
        if !info.default || !self.defaults || self.path.len() >= LEVELS {
            return Ok(false);
        }
        let path = self.path_to(info.name);
        Ok(!self.exclude.contains(&path) && self.permit(resolved, &path).is_ok())
    }

    fn targets(
        &mut self,
        resolved: &Resolved,
        shown: bool,
        children: &[Include],
    ) -> Result<Vec<TargetNode>> {
        let name = resolved.info.name;
        if !shown {
            let bare = |source: &usize| TargetNode {
                source: *source,
                kind: name,
                linked: false,
                as_guest: false,
                includes: Includes::default(),
            };
            return Ok(resolved.targets.iter().map(bare).collect());
        }
        self.permit(resolved, &self.path_to(name))?;
        self.path.push(name.to_owned());
        let mut targets = Vec::with_capacity(resolved.targets.len());
        let shared = self.shared(&resolved.targets, children)?;
        for (source, asked) in resolved.targets.iter().zip(shared) {
            let target = entry(self.ctx, *source)?;
            let kind = resolved.info.type_of(target.key);
            let linked = target.answers(self.caller(), Action::Show);
            let as_guest = self.as_guest || target.restricts(self.ctx.caller(), Action::Show);
            let above = replace(&mut self.as_guest, as_guest);
            let includes = self.level(*source, kind, &asked);
            self.as_guest = above;
            targets.push(TargetNode {
                source: *source,
                kind,
                linked,
                as_guest,
                includes: includes?,
            });
        }
        self.path.pop();
        Ok(targets)
    }

    /// With several targets, each loads the relations it has; one of them must have each.
    fn shared(&self, sources: &[usize], children: &[Include]) -> Result<Vec<Vec<Include>>> {
        if sources.len() < 2 {
            return Ok(vec![children.to_vec(); sources.len()]);
        }
        let mut asked = Vec::with_capacity(sources.len());
        let mut all = Vec::new();
        for source in sources {
            let relations = entry(self.ctx, *source)?.source.relations();
            let includable = |child: &&Include| {
                relations
                    .iter()
                    .any(|known| known.info.include.is_some() && known.info.name == child.name)
            };
            asked.push(children.iter().filter(includable).cloned().collect());
            all.extend(relations.iter().cloned());
        }
        self.check_known(children, &all)?;
        Ok(asked)
    }

    /// The caller may see the relation and its target.
    fn permit(&self, resolved: &Resolved, path: &str) -> Result<()> {
        let caller = self.caller();
        if !resolved
            .info
            .include
            .is_some_and(|allow| caller.passes(allow))
        {
            return Err(Error::ForbiddenInclude(path.to_owned()));
        }
        resolved
            .targets
            .iter()
            .try_for_each(|target| entry(self.ctx, *target)?.check_included(caller, path))
    }

    fn check_known(&self, asked: &[Include], relations: &[Resolved]) -> Result<()> {
        let known = || {
            let includable = relations
                .iter()
                .filter(|known| known.info.include.is_some());
            includable.map(|known| known.info.name)
        };
        match asked
            .iter()
            .find(|include| known().all(|name| name != include.name))
        {
            None => Ok(()),
            Some(unknown) => {
                let hint = did_you_mean(&unknown.name, known());
                let path = self.path_to(&unknown.name);
                let message = format!("The relation `{path}` cannot be included.{hint}");
                Err(Error::bad_parameter("include", message))
            }
        }
    }

    /// Excluded paths must be relations that could be included.
    fn check_excluded(&self, resource: usize) -> Result<()> {
        for path in self.exclude {
            let mut sources = vec![resource];
            for name in path.split('.') {
                sources = self.step(&sources, path, name)?;
            }
        }
        Ok(())
    }

    /// The targets of a relation of this name, from some sources.
    fn step(&self, sources: &[usize], path: &str, name: &str) -> Result<Vec<usize>> {
        let mut includable = Vec::new();
        for source in sources {
            let relations = entry(self.ctx, *source)?.source.relations().iter();
            includable.extend(relations.filter(|known| known.info.include.is_some()));
        }
        let named = includable.iter().filter(|known| known.info.name == name);
        // Targets that refer to each other would double with each level.
        let next: BTreeSet<usize> = named
            .flat_map(|known| known.targets.iter().copied())
            .collect();
        if next.is_empty() {
            let hint = did_you_mean(name, includable.iter().map(|known| known.info.name));
            let message = format!("The relation `{path}` cannot be excluded.{hint}");
            return Err(Error::bad_parameter("exclude", message));
        }
        Ok(next.into_iter().collect())
    }

    fn path_to(&self, name: &str) -> String {
        let above = self.path.iter().map(String::as_str);
        above.chain([name]).collect::<Vec<_>>().join(".")
    }
}

fn entry(ctx: &Context, index: usize) -> Result<&Entry> {
    ctx.registry()
        .get(index)
        .ok_or_else(|| Error::internal("a relation has no target"))
}
