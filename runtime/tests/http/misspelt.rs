//! A service with a misspelt key does not start: its first column would be taken for the key.

use formwork::{extension, prelude::*};
use serde::Serialize;

struct Shelf;

impl Extension for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Jar>("jars")]
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Jar {
    label: String,
    jar_id: i64,
}

impl Model for Jar {
    type Key = i64;

    const TABLE: &'static str = "jars";
    const KEY: &'static str = "jarid";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.column("label", &mut self.label)?;
        to.key("jar_id", &mut self.jar_id)
    }
}

#[test]
fn a_key_is_one_of_the_columns() {
    let extensions: Vec<Box<dyn Extension>> = vec![Box::new(Shelf)];
    let mistakes = extension::registry(&extensions).err().expect("a mistake");
    assert_eq!(
        mistakes,
        ["`jars`: KEY names `jarid`, which is not a column"]
    );
}
