//! The statements of every search and write are served by a key or an index.

use ermine_core::{
    Compare, Deletion, Expr, IdType, Metric, Scope, Target, Tenancy, TenantId, TenantScope, Value,
};
use ermine_sql::{Sql, push_filter, push_target};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::*;

/// The plan of a statement, whatever its values, where scans cost the world: small
/// tables are scanned otherwise.
async fn plan(client: &Client, sql: &str) -> String {
    let sql = format!("EXPLAIN (GENERIC_PLAN, COSTS OFF) {sql}");
    let lines = client.simple_query(&sql).await.unwrap();
    let line = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(|line| line.trim().to_owned()),
        _ => None,
    };
    lines.iter().filter_map(line).collect::<Vec<_>>().join("; ")
}

/// A selection of one tenant's documents, and one by a filter alone.
fn selections(schema: &Arc<Schema>) -> [String; 2] {
    let year = Expr::Compare {
        field: "year".into(),
        op: Compare::Eq,
        value: Value::I64(1960),
    };
    let tags = Expr::ContainsAny {
        field: "tags".into(),
        values: vec![Value::Text("db".into())],
    };
    let target = Target {
        schema: Arc::clone(schema),
        scope: Scope::live(TenantScope::One(TenantId::new("acme").unwrap())),
        filter: Some(year),
    };
    let select = || {
        let mut sql = Sql::new(&Postgres);
        sql.push("SELECT d.doc FROM ermine_doc_notes AS d WHERE ");
        sql
    };
    let (mut of_tenant, mut tagged) = (select(), select());
    push_target(&mut of_tenant, &target).unwrap();
    push_filter(&mut tagged, schema, &tags).unwrap();
    [of_tenant, tagged].map(|sql| sql.text().to_owned())
}

async fn every_plan(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let extension = Extension::find(&client).await.unwrap();
    let schema = Schema::builder("notes", "id", IdType::Text)
        .tenancy(Tenancy::Conjoined)
        .deletion(Deletion::Soft)
        .column("year", ColumnType::Scalar(ScalarType::I64))
        .column("tags", ColumnType::List(ScalarType::Text))
        .text("body", 1.0)
        .vector("v", 2, Metric::Cosine)
        .build()
        .unwrap();
    let layout = Layout::new(Arc::new(schema), &extension).unwrap();
    let place = format!("ermine_plans_{}", ermine_core::new_id().simple());
    // Nothing of it outlives the transaction.
    let ddl = format!(
        "BEGIN; CREATE SCHEMA {place}; SET LOCAL search_path = {place}; SET LOCAL enable_seqscan = off; {}",
        layout.create().join(";")
    );
    client.batch_execute(&ddl).await.unwrap();
    let text = layout.text.as_ref().unwrap();
    let vectors = &layout.vectors[0];
    let by_number = format!("{}d.doc = ANY($1)", layout.selection(Include::default()));
    let odd = format!(
        "SELECT doc FROM {} AS v WHERE v.norm > {LARGEST_NORM:e}",
        vectors.table
    );
    let [year, tags] = selections(&layout.schema);
    for (sql, served) in [
        (&layout.lock, "ermine_doc_notes_tenant_id_key"),
        (&by_number, "ermine_doc_notes_pkey"),
        (&year, "ermine_ix_notes.year"),
        (&tags, "ermine_ix_notes.tags"),
        (&text.tail_of, "ermine_text_notes.tail"),
        (&text.hidden_of, "ermine_text_notes.hidden"),
        (&text.dead_of, "ermine_dead_notes_pkey"),
        (&text.segments_of, "ermine_text_notes.tenant"),
        (&text.postings_of, "ermine_seg_notes_pkey"),
        (&vectors.hashes, "ermine_vec_notes.v_pkey"),
        (&vectors.delete, "ermine_vec_notes.v_pkey"),
        (&odd, "ermine_vec_notes.v.odd"),
    ] {
        let plan = plan(&client, sql).await;
        assert!(
            plan.contains(served) && !plan.contains("Seq Scan"),
            "{sql}: {plan}"
        );
    }
}

#[test]
fn every_lookup_is_served_by_a_key_or_an_index() {
    let url = std::env::var("ERMINE_TEST_POSTGRES").expect(
        "ERMINE_TEST_POSTGRES names the PostgreSQL server for the tests; `cargo xtask postgres` starts one",
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(every_plan(&url));
}
