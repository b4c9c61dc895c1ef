//! Writing a body's members into a record.

use std::{any::Any, collections::HashMap};

use formwork_vocabulary::inflect::words;
use serde_json::Map;

use super::Model;
use crate::{
    column::{Column, Columns, Key, is_no_segment, no_segment},
    error::{Result, ValidationErrors},
    value::{DateTime, Json},
};

/// Writes the members of `body` that `writable` names into `record`.
///
/// Other attributes stay as they are. Null for an attribute that must have a value takes the
/// model's default. Timestamps never come from a body, keys only where clients choose them.
///
/// # Errors
/// 422 with a message for every member that does not fit its attribute.
pub fn fill<M: Model>(
    record: &mut M,
    body: &Map<String, Json>,
    writable: &dyn Fn(&str) -> bool,
) -> Result<()> {
    fill_at(record, body, writable, "")
}

/// As [`fill`], from an object inside of a body, at `path`: `menu_options.0`.
///
/// # Errors
/// As [`fill`]; fields and messages name the whole path.
pub fn fill_at<M: Model>(
    record: &mut M,
    body: &Map<String, Json>,
    writable: &dyn Fn(&str) -> bool,
    path: &str,
) -> Result<()> {
    let mut fill = Fill {
        body,
        path,
        writable,
        defaults: None,
        errors: ValidationErrors::default(),
    };
    if body.values().any(Json::is_null) {
        let mut defaults = Defaults::default();
        M::defaults().columns(&mut defaults)?;
        fill.defaults = Some(defaults);
    }
    record.columns(&mut fill)?;
    fill.errors.into_result()
}

struct Fill<'b> {
    body: &'b Map<String, Json>,
    /// Its path; empty where it is the body itself.
    path: &'b str,
    writable: &'b dyn Fn(&str) -> bool,
    defaults: Option<Defaults>,
    errors: ValidationErrors,
}

impl Fill<'_> {
    /// The path of a member.
    fn place(&self, name: &str) -> String {
        match self.path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}

impl Columns for Fill<'_> {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        let Some(member) = self.body.get(name).filter(|_| (self.writable)(name)) else {
            return Ok(());
        };
        if member.is_null() && !T::NULLABLE {
            if let Some(default) = self.defaults.as_ref().and_then(|all| all.get::<T>(name)) {
                *field = default.clone();
            }
            return Ok(());
        }
        match T::from_json(member) {
            Ok(value) => *field = value,
            Err(must) => {
                let place = self.place(name);
                let label = words(&place);
                self.errors.add(place, format!("The {label} field {must}."));
            }
        }
        Ok(())
    }

    /// Only a new record whose request names its key (a string that clients choose) takes it.
    fn key<K: Key>(&mut self, name: &'static str, field: &mut K) -> Result<()> {
        if *field != K::default() {
            return Ok(());
        }
        let sent = self.body.get(name).filter(|_| (self.writable)(name));
        if sent.and_then(Json::as_str).is_some_and(is_no_segment) {
            let place = self.place(name);
            let message = no_segment(&place);
            self.errors.add(place, message);
            return Ok(());
        }
        self.column(name, field)
    }

    fn created_at(&mut self, _field: &mut Option<DateTime>) -> Result<()> {
        Ok(())
    }

    fn updated_at(&mut self, _field: &mut Option<DateTime>) -> Result<()> {
        Ok(())
    }
}

/// The fields of a model's default record, by name.
#[derive(Default)]
struct Defaults(HashMap<&'static str, Box<dyn Any>>);

impl Defaults {
    fn get<T: Column>(&self, name: &str) -> Option<&T> {
        self.0.get(name)?.downcast_ref()
    }
}

impl Columns for Defaults {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        if !T::NULLABLE {
            self.0.insert(name, Box::new(field.clone()));
        }
        Ok(())
    }
}
