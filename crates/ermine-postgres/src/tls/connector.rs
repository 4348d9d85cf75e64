//! Encrypted connections, by rustls.

mod unverified;

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ermine_core::{Error, ErrorKind, Result};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use self::unverified::Unverified;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Makes encrypted connections. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ClientConfig>);

impl Tls {
    /// What an address asks for, with the roots in the file `root` or the system's.
    ///
    /// Where encryption is only preferred nobody is protected from whoever pretends to be
    /// the server, who could refuse it as well; so the certificate is not looked at then,
    /// unless a root is named.
    pub(crate) fn new(mode: SslMode, root: Option<&Path>) -> Result<Self> {
        let provider = Arc::new(ring::default_provider());
        let is_verified = root.is_some() || !matches!(mode, SslMode::Prefer | SslMode::Disable);
        let roots = if is_verified {
            Some(roots(root)?)
        } else {
            None
        };
        Self::with(provider, roots).map_err(|e| {
            Error::new(
                ErrorKind::Storage,
                "TLS cannot be set up; please report this",
            )
            .with_source(e)
        })
    }

    fn with(
        provider: Arc<CryptoProvider>,
        roots: Option<RootCertStore>,
    ) -> std::result::Result<Self, tokio_rustls::rustls::Error> {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let builder = match roots {
            Some(roots) => builder.with_root_certificates(roots),
            None => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(Unverified::new(&provider))),
        };
        let mut config = builder.with_no_client_auth();
        // A server that is asked directly, without a request in the clear, insists on it.
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}

/// The certificates that are trusted.
fn roots(file: Option<&Path>) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let Some(file) = file else {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            let error = Error::new(
                ErrorKind::Storage,
                "the system has no root certificates to verify PostgreSQL's by; install them (on Debian: ca-certificates), or name one with `Postgres::root_certificate`",
            );
            return Err(match found.errors.into_iter().next() {
                Some(why) => error.with_source(why),
                None => error,
            });
        }
        return Ok(roots);
    };
    let unusable = |why: BoxError| {
        Error::new(
            ErrorKind::InvalidOption,
            format!(
                "the root certificate {} cannot be used; it is a file of certificates in PEM form",
                file.display()
            ),
        )
        .with_source(why)
    };
    let certificates = CertificateDer::pem_file_iter(file).map_err(|e| unusable(e.into()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|e| unusable(e.into()))?;
        roots.add(certificate).map_err(|e| unusable(e.into()))?;
    }
    if roots.is_empty() {
        return Err(unusable("it holds none".into()));
    }
    Ok(roots)
}

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = Connect;
    type Error = BoxError;

    fn make_tls_connect(&mut self, host: &str) -> std::result::Result<Connect, BoxError> {
        Ok(Connect {
            connector: TlsConnector::from(Arc::clone(&self.0)),
            // A Unix socket has no name, and is not encrypted.
            server: ServerName::try_from(host.to_owned()).ok(),
        })
    }
}

/// A connection about to be encrypted.
pub(crate) struct Connect {
    connector: TlsConnector,
    server: Option<ServerName<'static>>,
}

impl<S> TlsConnect<S> for Connect
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Encrypted<S>, BoxError>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let server = self
                .server
                .ok_or("the host is neither a name nor an address that a certificate can hold")?;
            let stream = self.connector.connect(server, stream).await?;
            Ok(Encrypted(Box::new(stream)))
        })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted<S>(Box<client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
