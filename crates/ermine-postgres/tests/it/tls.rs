//! Encrypted connections, to a front of the tests' server that takes no others.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use ermine_core::{Backend, ErrorKind};
use ermine_postgres::Postgres;
use rcgen::generate_simple_self_signed;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::runtime::Runtime;
use tokio_postgres::Config;
use tokio_postgres::config::Host;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use crate::support::{Notes, Place, block_on, note, url};

/// What a client sends that wants to speak TLS: its length and a number.
const REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Speaks TLS to clients, with a certificate for `localhost` that vouches for itself,
/// and hands on what they say to the tests' server.
struct Front {
    port: u16,
    folder: tempfile::TempDir,
    _runtime: Runtime,
}

impl Front {
    fn new() -> Self {
        let made = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("root.pem"), made.cert.pem()).unwrap();
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        runtime.spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                // A client that does not go on is none of the server's business.
                tokio::spawn(async move { drop(hand_on(client, acceptor).await) });
            }
        });
        Self {
            port,
            folder,
            _runtime: runtime,
        }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root.pem")
    }

    fn at(&self, host: &str, mode: &str) -> Postgres {
        let server = Config::from_str(&url()).unwrap();
        let mut address = format!("host={host} port={} sslmode={mode}", self.port);
        address += &format!(" user='{}'", server.get_user().unwrap_or("postgres"));
        address += &format!(" dbname='{}'", server.get_dbname().unwrap_or("postgres"));
        if let Some(password) = server.get_password() {
            address += &format!(" password='{}'", String::from_utf8_lossy(password));
        }
        Postgres::url(address).schema(format!("ermine_tls_{}", self.port))
    }
}

async fn hand_on(mut client: TcpStream, acceptor: TlsAcceptor) -> std::io::Result<()> {
    let mut request = [0; REQUEST.len()];
    client.read_exact(&mut request).await?;
    if request != REQUEST {
        return Ok(());
    }
    client.write_all(b"S").await?;
    let mut client = acceptor.accept(client).await?;
    let mut server = server().await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

async fn server() -> std::io::Result<Box<dyn Stream>> {
    let config = Config::from_str(&url()).unwrap();
    let port = config.get_ports().first().copied().unwrap_or(5432);
    Ok(match &config.get_hosts()[0] {
        Host::Tcp(host) => Box::new(TcpStream::connect((host.as_str(), port)).await?),
        Host::Unix(folder) => {
            Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?)
        }
    })
}

#[test]
fn a_server_whose_certificate_is_trusted_is_written_to_and_searched() {
    let front = Front::new();
    for postgres in [
        front
            .at("localhost", "require")
            .root_certificate(front.root()),
        front
            .at("localhost", "prefer")
            .root_certificate(front.root()),
        front.at("localhost", "prefer"),
    ] {
        let place = Place::new();
        let notes = Notes::open(postgres.schema(&place.schema));
        notes.store([note("a", "pool").vector([1.0, 0.0])]);
        assert_eq!(notes.searches("pool", [1.0, 0.0]), [["a"], ["a"], ["a"]]);
    }
}

#[test]
fn a_server_that_cannot_show_who_it_is_is_refused() {
    let front = Front::new();
    let other = Front::new();
    for (postgres, why) in [
        // Signed by somebody else; by nobody the system knows; of another name.
        (
            front
                .at("localhost", "require")
                .root_certificate(other.root()),
            "certificate",
        ),
        (front.at("localhost", "require"), "certificate"),
        (
            front
                .at("127.0.0.1", "require")
                .root_certificate(front.root()),
            "not valid for name",
        ),
    ] {
        let error = block_on(postgres.connect()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn nothing_is_said_in_the_clear_where_tls_is_required() {
    // The tests' own server speaks none over its socket.
    let url = url();
    let separator = if url.contains('?') { '&' } else { '?' };
    let required = Postgres::url(format!("{url}{separator}sslmode=require"));
    let front = Front::new();
    let error = block_on(required.root_certificate(front.root()).connect());
    assert_eq!(error.err().unwrap().kind(), ErrorKind::Storage);
    // This one takes nothing else.
    assert!(block_on(front.at("localhost", "disable").connect()).is_err());
}

#[test]
fn a_root_certificate_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("root.pem");
    for contents in [
        None,
        Some("nothing"),
        Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
    ] {
        if let Some(contents) = contents {
            std::fs::write(&file, contents).unwrap();
        }
        let postgres = Postgres::url("postgres://localhost").root_certificate(&file);
        let error = block_on(postgres.connect()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidOption, "{contents:?}");
        assert!(error.to_string().contains("root.pem"), "{error}");
    }
}
