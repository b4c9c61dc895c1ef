//! The key of entity tags and cursors: a secret in the database, so that replicas and restarts make
//! the same ones, and clients cannot.

use std::sync::OnceLock;

use data_encoding::HEXLOWER_PERMISSIVE;
use formwork_data::{
    database::Db,
    error::{Error, Result},
    migration::Migration,
    own_migration,
    value::Value,
};
use siphasher::sip128::SipHasher13;

/// The table of secrets; its migration makes them, of the database's randomness.
pub const MIGRATIONS: &[Migration] = &[own_migration!(20260101000011, "create_formwork_secrets")];

const READ: &str = "SELECT \"value\" FROM \"formwork_secrets\" WHERE \"name\" = 'entity_tags'";

/// Bytes of a digest that are kept: enough that two contents never share one.
pub(crate) const KEPT: usize = 10;

/// The key of the digests that tags consist of.
#[derive(Clone, Copy)]
pub struct TagKey([u8; 16]);

impl TagKey {
    /// For public content, whose tag is no secret.
    pub const OPEN: Self = Self([0; 16]);

    /// A digest of these bytes under the key: SipHash-1-3 of 128 bits.
    pub fn digest(self, bytes: &[u8]) -> [u8; KEPT] {
        let digest = SipHasher13::new_with_key(&self.0).hash(bytes).as_bytes();
        std::array::from_fn(|at| digest[at])
    }

    /// 32 hexadecimal digits.
    fn parse(text: &str) -> Option<Self> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

/// The key of a service, once it was read.
pub struct TagKeys {
    shared: OnceLock<TagKey>,
    /// Used while the table is missing: migrations are pending, and the service is not ready.
    own: TagKey,
}

impl TagKeys {
    /// Keys of which none was read yet.
    ///
    /// # Errors
    ///
    /// 500 where the operating system has no randomness to give.
    pub fn new() -> Result<Self> {
        let mut own = [0; 16];
        getrandom::fill(&mut own).map_err(Error::internal)?;
        Ok(Self {
            shared: OnceLock::new(),
            own: TagKey(own),
        })
    }

    /// The key. It is read once; the statement does not count for a request.
    ///
    /// # Errors
    ///
    /// The database's error; 500 where it holds no key.
    pub async fn read(&self, db: &Db) -> Result<TagKey> {
        if let Some(key) = self.shared.get() {
            return Ok(*key);
        }
        // On the request's connection, which may be in a transaction: another one may not be free.
        let db = db.for_request();
        if !db.has_table("formwork_secrets").await? {
            return Ok(self.own);
        }
        let rows = db.rows(READ, []).await?;
        let text = rows.first().and_then(|row| row.first());
        let key = text.and_then(Value::as_str).and_then(TagKey::parse);
        let key = key.ok_or_else(|| Error::internal("`formwork_secrets` holds no key for tags"))?;
        Ok(*self.shared.get_or_init(|| key))
    }
}
