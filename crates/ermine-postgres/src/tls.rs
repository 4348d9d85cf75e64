//! Whether connections are encrypted.
//!
//! Without the feature `tls` none is, and an address that asks for it is refused.

#[cfg(feature = "tls")]
mod connector;

#[cfg(feature = "tls")]
pub(crate) use connector::Tls;
#[cfg(not(feature = "tls"))]
pub(crate) use tokio_postgres::NoTls as Tls;
