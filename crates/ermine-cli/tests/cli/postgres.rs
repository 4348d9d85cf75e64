//! The program on PostgreSQL, on the server that `ERMINE_TEST_POSTGRES` names.

use serde_json::json;
use tokio::runtime::Runtime;
use tokio_postgres::NoTls;

use crate::support::{BACKUP, POOL, Place, ids};

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

/// A schema of its own in the tests' database.
pub(crate) struct Database {
    schema: String,
    runtime: Runtime,
}

impl Database {
    pub(crate) fn new() -> Self {
        // Without a server it ends here, where there is nothing to be dropped yet.
        url();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let database = Self {
            schema: format!("ermine_cli_{}", uuid::Uuid::now_v7().simple()),
            runtime,
        };
        database.rows(&format!("CREATE SCHEMA {}", database.schema));
        database
    }

    /// Executes a statement, and returns how many rows it gives.
    fn rows(&self, sql: &str) -> usize {
        self.runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url(), NoTls).await.unwrap();
            let connection = tokio::spawn(connection);
            let rows = client.query(sql, &[]).await.unwrap().len();
            drop(client);
            connection.await.unwrap().unwrap();
            rows
        })
    }

    /// How many tables there are.
    pub(crate) fn tables(&self) -> usize {
        let schema = &self.schema;
        self.rows(&format!(
            "SELECT FROM pg_tables WHERE schemaname = '{schema}'"
        ))
    }

    pub(crate) fn url(&self) -> String {
        with(&format!("options=-c%20search_path%3D{}", self.schema))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.rows(&format!("DROP SCHEMA {} CASCADE", self.schema));
    }
}

#[test]
fn notes_are_imported_searched_three_ways_and_told_of() {
    let place = Place::on_postgres();
    place.write("notes/pool.md", POOL);
    place.write("notes/ops/backup.md", BACKUP);
    // A database is nowhere among the files: they are known by their whole path.
    let file = |name: &str| {
        let path = place.path(name).canonicalize().unwrap();
        path.to_str().unwrap().to_owned()
    };
    let id = |name: &str, place: u32| format!("{}#{place}", file(name));
    let first = place.run(&["import", "notes"]).succeeded();
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
        let hits = place.run(&search).json_lines();
        assert_eq!(ids(&hits)[0], id("notes/pool.md", 2), "{mode}");
        let filter = [
            "--filter",
            &format!("file = '{}'", file("notes/ops/backup.md")),
        ];
        let hits = place.run(&[&search[..], &filter].concat()).json_lines();
        let expected = match mode {
            "text" => Vec::new(),
            _ => vec![id("notes/ops/backup.md", 1)],
        };
        assert_eq!(ids(&hits), expected, "{mode}");
    }
    let status = place.run(&["status", "--format", "json"]).json();
    let collection = &status["collections"][0];
    assert_eq!(collection["name"], "documents");
    assert_eq!(collection["documents"], 4);
    assert_eq!(collection["vectors"][0]["present"], 4);
    assert_eq!(collection["vectors"][0]["absent"], json!(0));
    assert_eq!(status["store"], json!(place.store()));

    // A file that says the same costs nothing; one that changed, its own part.
    let second = place.run(&["import", "notes"]).succeeded();
    assert!(second.contains("0 texts embedded"), "{second}");
    let changed = POOL.replace("number of cores", "number of disks");
    place.write("notes/pool.md", changed);
    let third = place.run(&["import", "notes"]).succeeded();
    assert!(third.contains("1 text embedded"), "{third}");
    let disks = ["search", "disks", "--mode", "text", "--format", "jsonl"];
    assert_eq!(
        ids(&place.run(&disks).json_lines()),
        [id("notes/pool.md", 3)]
    );
}

#[test]
fn the_tour_can_be_repeated() {
    let place = Place::on_postgres();
    let demo = || place.run(&["demo", "--store", &place.store()]).succeeded();
    let first = demo();
    assert!(first.contains("Go on with"), "{first}");
    assert!(!first.contains("nothing found"), "{first}");
    let second = demo();
    assert!(
        second.contains(" 0 new,") && second.contains("0 texts embedded"),
        "{second}"
    );
    assert!(!place.exists("ermine-demo.db"));
}

#[test]
fn a_url_that_leads_nowhere_gets_one_line_with_a_remedy() {
    let place = Place::new();
    place.write("a.md", "# A\n\nTea.\n");
    let nowhere = with("dbname=there_is_no_such_database");
    let encrypted = if cfg!(feature = "tls") {
        "check that the server runs"
    } else {
        "TLS"
    };
    for (store, remedy) in [
        (nowhere.as_str(), "create it, or check the address"),
        ("postgres://127.0.0.1:1/x", "check that the server runs"),
        ("postgres://127.0.0.1:port/x", "it looks like postgres://"),
        ("postgres://127.0.0.1:1/x?sslmode=require", encrypted),
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
