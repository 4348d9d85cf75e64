//! Which index serves which statement, as EXPLAIN has it.

use std::collections::HashSet;
use std::sync::Arc;

use ermine_core::{
    Accuracy, ColumnType, Compare, Expr, Hnsw, IdType, Metric, ScalarType, Schema, Scope, Target,
    TenantScope, Value, VectorFieldSchema, VectorLeg,
};
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::super::leg::Scan;
use super::super::search_effort::Effort;
use super::estimated;
use crate::extension::Extension;
use crate::layout::Layout;

#[test]
fn a_plan_says_how_many_rows_it_expects() {
    let line = "Seq Scan on ermine_doc_notes d  (cost=0.00..3822.59 rows=117659 width=0)";
    assert_eq!(estimated(line), Some(117_659.0));
    assert_eq!(estimated("Result"), None);
}

/// The plan of a statement, whatever its values.
async fn plan(client: &Client, sql: &str) -> String {
    let sql = format!("EXPLAIN (GENERIC_PLAN, COSTS OFF) {sql}");
    let lines = client.simple_query(&sql).await.unwrap();
    let line = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(|line| line.trim().to_owned()),
        _ => None,
    };
    lines.iter().filter_map(line).collect::<Vec<_>>().join("; ")
}

async fn every_plan(url: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let extension = Extension::find(&client).await.unwrap();
    for metric in Metric::ALL {
        for dimensions in [2, 2_001] {
            let field = VectorFieldSchema::new("v", dimensions, metric);
            let schema = Schema::builder("points", "id", IdType::Text)
                .column("n", ColumnType::Scalar(ScalarType::I64))
                .vector_field(field.indexed(Hnsw::default()))
                .build()
                .unwrap();
            let layout = Layout::new(Arc::new(schema), &extension).unwrap();
            let place = format!("ermine_plans_{}", ermine_core::new_id().simple());
            // Nothing of it outlives the transaction.
            let ddl = format!(
                "BEGIN; CREATE SCHEMA {place}; SET LOCAL search_path = {place}; {}",
                layout.create().join(";")
            );
            client.batch_execute(&ddl).await.unwrap();
            plans_of(&client, &extension, &layout).await;
            client.batch_execute("ROLLBACK").await.unwrap();
        }
    }
}

async fn plans_of(client: &Client, extension: &Extension, layout: &Layout) {
    const INDEX: &str = "ermine_vec_points.v.hnsw";
    let field = &layout.schema.vectors()[0];
    let leg = VectorLeg {
        field: 0,
        query: vec![1.0; field.dimensions()].into(),
        metric: field.metric(),
        accuracy: Accuracy::Approximate,
        max_distance: None,
    };
    let target = Target {
        schema: Arc::clone(&layout.schema),
        scope: Scope::live(TenantScope::Untenanted),
        filter: Some(Expr::Compare {
            field: "n".into(),
            op: Compare::Lt,
            value: Value::I64(7),
        }),
    };
    let nobody = HashSet::new();
    let scan = Scan::new(client, extension, layout, &target, &leg, &nobody).unwrap();
    let Some(Ok(index)) = &layout.vectors[0].index else {
        panic!("the index is possible")
    };
    let effort = Effort::new(42, 0.5);
    // However small the table: the settings leave no other way.
    client.batch_execute(&effort.settings()).await.unwrap();
    let sql = scan.index_sql(index, 42, effort);
    let by_index = plan(client, &sql).await;
    let used = format!("Index Scan using \"{INDEX}\" on ");
    assert!(by_index.contains(&used), "{sql}: {by_index}");
    assert!(!by_index.contains("Sort"), "{sql}: {by_index}");
    let missed = plan(client, &scan.select_sql(&index.misses("v."))).await;
    let small = field.dimensions() <= 2_000;
    let outside = if small { "v.odd" } else { "v.hnsw.outside" };
    assert!(missed.contains(outside), "{missed}");
    // However cheap the index: nothing orders by what it orders by.
    for sql in [scan.filtered_sql(42, 1_000), scan.first_sql(42)] {
        let exact = plan(client, &sql).await;
        assert!(!exact.contains("hnsw"), "{sql}: {exact}");
    }
    client.batch_execute(Effort::RESET).await.unwrap();
    let reset = "SELECT 1 WHERE current_setting('hnsw.ef_search')::int < 100 AND current_setting('enable_sort')::bool AND current_setting('enable_seqscan')::bool";
    let rows = client.query(reset, &[]).await.unwrap();
    assert_eq!(rows.len(), 1, "other statements are planned as ever");
}

#[test]
fn the_index_serves_approximate_searches_and_no_other() {
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
