//! `fields[menus]=menu_name,menu_price`.

use formwork_data::error::Result;

/// The fields a client wants to see of records of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldsParam {
    /// The parameter as the client wrote it, for messages.
    pub parameter: String,
    /// The type of the records: a resource's key.
    pub kind: String,
    /// The names of the fields; none: only the id.
    pub names: Vec<String>,
}

impl FieldsParam {
    /// # Errors
    /// 400 where a name is missing beside a comma.
    pub fn read(parameter: &str, kind: &str, value: &str) -> Result<Self> {
        let names = super::list::items(parameter, value)?;
        Ok(Self {
            parameter: parameter.to_owned(),
            kind: kind.to_owned(),
            names: names.map(str::to_owned).collect(),
        })
    }
}
