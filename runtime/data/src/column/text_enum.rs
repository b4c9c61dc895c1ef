//! Enums of texts: the Rust type of a column with a few words.

/// An enum whose values are texts, as an attribute `enum(…)` is poured.
///
/// A text that it does not list, as an older database may hold, is `Other`: it is shown as it is, and a list of
/// records does not fail. The default is `Other` without a text: no value was chosen.
///
/// ```
/// # use formwork_data::text_enum;
/// text_enum! {
///     /// How an order is handed over.
///     pub enum OrderType {
///         Delivery = "delivery",
///         Collection = "collection",
///     }
/// }
/// let kind = OrderType::from("delivery");
/// assert_eq!(kind, OrderType::Delivery);
/// assert!(kind == "delivery" && "delivery" == kind && kind == "delivery".to_owned());
/// assert_eq!(String::from(kind), "delivery");
/// assert_eq!(OrderType::from("drone"), OrderType::Other("drone".to_owned()));
/// ```
#[macro_export]
macro_rules! text_enum {
    ($(#[$about:meta])* pub enum $name:ident { $($value:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`.")] $value,)+
            /// A text that is not one of the others.
            Other(String),
        }

        impl $name {
            /// The text of the value, in the database and in bodies.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$value => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$value,)+
                    text => Self::Other(text.to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                match value {
                    $name::Other(text) => text,
                    listed => listed.as_str().to_owned(),
                }
            }
        }

        impl From<$name> for $crate::value::Value {
            fn from(value: $name) -> Self {
                $crate::column::Column::value(&value)
            }
        }

        impl From<&$name> for $crate::value::Value {
            fn from(value: &$name) -> Self {
                $crate::column::Column::value(value)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self)
            }
        }

        // `Other("delivery")` is a delivery all the same.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }

        $crate::text_enum! { @equals $name: str, &str, String }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
                to.serialize_str(self)
            }
        }

        impl $crate::column::Column for $name {
            const KIND: $crate::column::Kind = $crate::column::Kind::Text;

            fn read(row: &$crate::database::Row, index: usize) -> $crate::error::Result<Self> {
                row.text(index).map(Self::from)
            }

            fn value(&self) -> $crate::value::Value {
                $crate::value::Value::from(self.as_str())
            }

            fn native_value(&self) -> $crate::value::Value {
                $crate::value::Value::Label(self.as_str().to_owned())
            }

            fn from_json(json: &$crate::value::Json) -> std::result::Result<Self, &'static str> {
                <String as $crate::column::Column>::from_json(json).map(Self::from)
            }
        }
    };
    (@equals $name:ident: $($text:ty),+) => {$(
        impl PartialEq<$text> for $name {
            fn eq(&self, other: &$text) -> bool {
                self.as_str() == AsRef::<str>::as_ref(other)
            }
        }

        impl PartialEq<$name> for $text {
            fn eq(&self, other: &$name) -> bool {
                other == self
            }
        }
    )+};
}
