//! The program on PostgreSQL, on the server that `ERMINE_TEST_POSTGRES` names.

use serde_json::json;
use tokio::runtime::Runtime;
use tokio_postgres::NoTls;

use crate::support::{BACKUP, POOL, Place, Ran, ids};

/// A folder to work in, and a schema of its own in the tests' database.
struct Server {
    place: Place,
    schema: String,
    runtime: Runtime,
}

fn url() -> String {
    std::env::var("ERMINE_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("ERMINE_TEST_POSTGRES names the PostgreSQL server for the tests; `cargo xtask postgres` starts one")
    })
}

/// The server's URL with one more parameter.
fn with(parameter: &str) -> String {
    let url = url();
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}{parameter}")
}

impl Server {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let server = Self {
            place: Place::new(),
            schema: format!("ermine_cli_{}", uuid::Uuid::now_v7().simple()),
            runtime,
        };
        server.execute(&format!("CREATE SCHEMA {}", server.schema));
        server
    }

    fn execute(&self, sql: &str) {
        self.runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url(), NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            client.batch_execute(sql).await.unwrap();
            drop(client);
            connection.await.unwrap().unwrap();
        });
    }

    fn url(&self) -> String {
        with(&format!("options=-c%20search_path%3D{}", self.schema))
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let url = self.url();
        self.place.run(&[arguments, &["--store", &url]].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.execute(&format!("DROP SCHEMA {} CASCADE", self.schema));
    }
}

#[test]
fn notes_are_imported_searched_three_ways_and_told_of() {
    let server = Server::new();
    server.place.write("notes/pool.md", POOL);
    server.place.write("notes/ops/backup.md", BACKUP);
    // A database is nowhere among the files: they are known by their whole path.
    let file = |name: &str| {
        let path = server.place.path(name).canonicalize().unwrap();
        path.to_str().unwrap().to_owned()
    };
    let id = |name: &str, place: u32| format!("{}#{place}", file(name));
    let first = server.run(&["import", "notes"]).succeeded();
    assert!(first.contains("4 texts embedded"), "{first}");
    for mode in ["text", "vector", "hybrid"] {
        let search = [
            "search",
            "pool timeouts",
            "--mode",
            mode,
            "--format",
            "jsonl",
        ];
        let hits = server.run(&search).json_lines();
        assert_eq!(ids(&hits)[0], id("notes/pool.md", 2), "{mode}");
        let filter = [
            "--filter",
            &format!("file = '{}'", file("notes/ops/backup.md")),
        ];
        let hits = server.run(&[&search[..], &filter].concat()).json_lines();
        let expected = match mode {
            "text" => Vec::new(),
            _ => vec![id("notes/ops/backup.md", 1)],
        };
        assert_eq!(ids(&hits), expected, "{mode}");
    }
    let status = server.run(&["status", "--format", "json"]).json();
    let collection = &status["collections"][0];
    assert_eq!(collection["name"], "documents");
    assert_eq!(collection["documents"], 4);
    assert_eq!(collection["vectors"][0]["present"], 4);
    assert_eq!(collection["vectors"][0]["absent"], json!(0));
    assert_eq!(status["store"], json!(server.url()));

    // A file that says the same costs nothing; one that changed, its own part.
    let second = server.run(&["import", "notes"]).succeeded();
    assert!(second.contains("0 texts embedded"), "{second}");
    let changed = POOL.replace("number of cores", "number of disks");
    server.place.write("notes/pool.md", changed);
    let third = server.run(&["import", "notes"]).succeeded();
    assert!(third.contains("1 text embedded"), "{third}");
    let disks = ["search", "disks", "--mode", "text", "--format", "jsonl"];
    assert_eq!(
        ids(&server.run(&disks).json_lines()),
        [id("notes/pool.md", 3)]
    );
}

#[test]
fn the_tour_is_refused_where_events_are_not_kept() {
    let server = Server::new();
    let line = server.run(&["demo"]).refused();
    assert!(
        line.contains("events") && line.contains("--store"),
        "{line}"
    );
    assert!(!server.place.exists("ermine-demo.db"));
}

#[test]
fn a_url_that_leads_nowhere_gets_one_line_with_a_remedy() {
    let place = Place::new();
    place.write("a.md", "# A\n\nTea.\n");
    let nowhere = with("dbname=there_is_no_such_database");
    for (store, remedy) in [
        (nowhere.as_str(), "create it, or check the address"),
        ("postgres://127.0.0.1:1/x", "check that the server runs"),
        ("postgres://127.0.0.1:port/x", "it looks like postgres://"),
        ("postgres://127.0.0.1/x?sslmode=require", "TLS"),
    ] {
        for arguments in [
            &["import", "a.md"][..],
            &["search", "tea"],
            &["status"],
            &["demo"],
        ] {
            let line = place
                .run(&[arguments, &["--store", store]].concat())
                .refused();
            assert!(line.contains(remedy), "{line}");
            assert!(line.contains("--store"), "{line}");
        }
    }
}
