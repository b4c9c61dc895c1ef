//! Records whose row was deleted meanwhile.

use formwork_data::{
    column::Columns,
    error::{Error, Result},
    model::Model,
    record::ModelExt,
};

use crate::on_each;

model! {
    Chair "chairs" { key id: i64, column color: String }
}

#[tokio::test]
async fn a_record_whose_row_is_gone_is_not_found() {
    on_each(|house, dialect| async move {
        let table = "CREATE TABLE chairs (id BIGINT PRIMARY KEY, color VARCHAR(20))";
        house.db.execute(table, []).await.expect("a table");
        let mut chair = Chair {
            id: 1,
            color: "red".to_owned(),
        };
        chair.insert(&house).await.expect("stored");
        chair.update(&house).await.expect("the same values");
        chair.delete(&house).await.expect("deleted");
        let updated = chair.update(&house).await;
        assert!(
            matches!(updated, Err(Error::NotFound(_))),
            "{dialect}: {updated:?}"
        );
    })
    .await;
}
