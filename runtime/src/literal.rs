//! Values that are known when the project is compiled: `literal::decimal("12.50")`.

pub use formwork_data::literal::{date, datetime, decimal, time, uuid};
