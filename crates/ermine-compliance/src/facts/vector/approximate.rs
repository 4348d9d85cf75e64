//! V10: approximate search changes which near neighbours are found, and nothing else.

use ermine_core::{
    DeletedScope, Deletion, DynamicRecord, Filter, Hnsw, IdType, Metric, Schema, SchemaBuilder,
    SchemaChange, SchemaMode, Tenancy, VectorFieldSchema, VectorMatch,
};
use ermine_store::Store;

use crate::facts::kit::{at, ids, n, notes, points, refused, scope};
use crate::facts::world::Docs;
use crate::facts::{Verdict, World};

facts![
    v10_exact_is_the_default,
    v10_an_approximate_search_returns_as_many_as_there_are_whatever_the_filter,
    v10_an_approximate_search_returns_as_many_as_there_are_of_a_tenant,
    v10_an_approximate_search_returns_as_many_as_there_are_undeleted,
    v10_an_approximate_search_returns_as_many_as_there_are_within_the_maximum,
    v10_an_approximate_search_returns_as_many_as_there_are_after_deletes,
    v10_distances_and_order_are_those_of_an_exact_search,
    v10_what_misses_near_neighbours_says_so,
    v10_a_field_may_be_approximate_by_default,
    v10_legs_may_be_approximate,
    v10_another_metric_is_exact,
    d7_an_index_may_be_declared_over_rows_and_left_out_again,
    d7_an_index_is_built_only_where_changes_are_allowed,
];

/// Enough for an index to be worth its while.
const ROWS: i32 = 400;

fn embedding(dimensions: usize, metric: Metric) -> VectorFieldSchema {
    VectorFieldSchema::new("embedding", dimensions, metric).indexed(Hnsw::default())
}

/// Documents `indexed` of a place in four dimensions, with fields `scope` and `n`.
fn indexed() -> SchemaBuilder {
    unindexed().vector_field(embedding(4, Metric::Euclidean))
}

fn unindexed() -> SchemaBuilder {
    use ermine_core::{ColumnType, ScalarType};
    Schema::builder("indexed", "id", IdType::Text)
        .column("scope", ColumnType::Scalar(ScalarType::Text))
        .column("n", ColumnType::Scalar(ScalarType::I64))
}

/// `ROWS` documents, numbered in no order of distance, the same every time.
fn cloud() -> impl Iterator<Item = DynamicRecord> {
    let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut next = move || {
        seed ^= seed >> 12;
        seed ^= seed << 25;
        seed ^= seed >> 27;
        // 24 bits make an f32 of their own each.
        (seed.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / 16_777_216.0
    };
    (0..ROWS).map(move |i| {
        at(&format!("{i:04}"), [next(), next(), next(), next()])
            .with("scope", "here")
            .with("n", i)
    })
}

const QUERY: [f32; 4] = [0.5, 0.5, 0.5, 0.5];

/// What an exact search finds, closest first.
async fn exact(
    docs: &Docs,
    filter: Filter<DynamicRecord>,
    limit: usize,
) -> ermine_core::Result<Vec<VectorMatch<DynamicRecord>>> {
    let search = docs.search().nearest_to(QUERY).filter(filter);
    Ok(search.exact().limit(limit).await?.into_vec())
}

async fn v10_exact_is_the_default(world: World) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    let plain = docs.search().nearest_to(QUERY).await?;
    assert!(!plain.outcome().is_approximate());
    assert_eq!(ids(&plain), ids(&exact(&docs, Filter::all(), 10).await?));
    let hybrid = docs.search().nearest_to(QUERY).exact().await?;
    assert!(!hybrid.outcome().is_approximate());
    Ok(())
}

async fn v10_an_approximate_search_returns_as_many_as_there_are_whatever_the_filter(
    world: World,
) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    // The furthest of all, which an index comes to last.
    let all = exact(&docs, Filter::all(), 1_000).await?;
    let furthest: Vec<i64> = all[all.len() - 30..]
        .iter()
        .map(|hit| {
            hit.document
                .id
                .to_string()
                .parse()
                .expect("ids are numbers")
        })
        .collect();
    let none_of: Vec<i64> = Vec::new();
    for (filter, passing) in [
        (Filter::all(), 400),
        (n().ge(0), 400),
        (n().lt(300), 300),
        (n().lt(40), 40),
        (n().eq(7), 1),
        (n().is_in(furthest), 30),
        (n().is_in(none_of), 0),
        (scope().eq("elsewhere"), 0),
        (Filter::none(), 0),
    ] {
        for limit in [0, 1, 10, 29, 50, 1_000] {
            let search = docs.search().nearest_to(QUERY).filter(filter.clone());
            let found = search.approximate().limit(limit).await?;
            assert_eq!(found.len(), limit.min(passing), "{filter:?}, limit {limit}");
            let found: Vec<i64> = found
                .documents()
                .map(|document| document.id.to_string().parse().expect("ids are numbers"))
                .collect();
            let passing = docs.passing(filter.clone()).await?;
            let passes = |id: &i64| passing.contains(&format!("{id:04}"));
            assert!(found.iter().all(passes), "{filter:?}, limit {limit}");
        }
    }
    Ok(())
}

async fn v10_an_approximate_search_returns_as_many_as_there_are_of_a_tenant(
    world: World,
) -> Verdict {
    let docs = world.open(indexed().tenancy(Tenancy::Conjoined)).await?;
    let (near, far) = (docs.tenant("near")?, docs.tenant("far")?);
    near.put(cloud()).await?;
    let place = |i: i32| at(&format!("{i}"), [9.0, 9.0, 9.0, i as f32]);
    far.put((0..30).map(place)).await?;
    for limit in [1, 20, 50] {
        let found = far
            .search()
            .nearest_to(QUERY)
            .approximate()
            .limit(limit)
            .await?;
        assert_eq!(found.len(), limit.min(30));
        assert!(found.iter().all(|hit| hit.distance.value() > 8.0));
    }
    let found = near
        .search()
        .nearest_to(QUERY)
        .approximate()
        .limit(500)
        .await?;
    assert_eq!(found.len(), 400);
    Ok(())
}

async fn v10_an_approximate_search_returns_as_many_as_there_are_undeleted(world: World) -> Verdict {
    let docs = world.open(indexed().deletion(Deletion::Soft)).await?;
    docs.put(cloud()).await?;
    let mut session = docs.session();
    for hit in exact(&docs, Filter::all(), 350).await? {
        session.delete_in(&docs.kind, hit.document.id);
    }
    session.commit().await?;
    for (deleted, count) in [
        (DeletedScope::Hidden, 50),
        (DeletedScope::Only, 350),
        (DeletedScope::Included, 400),
    ] {
        for limit in [10, 60, 1_000] {
            let options = ermine_store::VectorOptions {
                deleted,
                limit,
                accuracy: Some(ermine_core::Accuracy::Approximate),
                ..Default::default()
            };
            let found = docs.search().nearest_to(QUERY).options(options).await?;
            assert_eq!(found.len(), limit.min(count), "{deleted:?}, limit {limit}");
        }
    }
    Ok(())
}

async fn v10_an_approximate_search_returns_as_many_as_there_are_within_the_maximum(
    world: World,
) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    let all = exact(&docs, Filter::all(), 1_000).await?;
    for within in [1, 25, 200, 399] {
        let most = all[within - 1].distance;
        for limit in [10, 100, 1_000] {
            let search = docs.search().nearest_to(QUERY).approximate();
            let found = search.max_distance(most).limit(limit).await?;
            assert_eq!(found.len(), limit.min(within), "{within} within {most:?}");
            assert!(found.iter().all(|hit| hit.distance <= most));
        }
    }
    Ok(())
}

async fn v10_an_approximate_search_returns_as_many_as_there_are_after_deletes(
    world: World,
) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    let nearest = exact(&docs, Filter::all(), 200).await?;
    let mut session = docs.session();
    for hit in &nearest {
        session.delete_in(&docs.kind, hit.document.id.clone());
    }
    session.commit().await?;
    for limit in [10, 100, 1_000] {
        let found = docs
            .search()
            .nearest_to(QUERY)
            .approximate()
            .limit(limit)
            .await?;
        assert_eq!(found.len(), limit.min(200));
        let gone = ids(&nearest);
        assert!(ids(&found).iter().all(|id| !gone.contains(id)));
    }
    Ok(())
}

async fn v10_distances_and_order_are_those_of_an_exact_search(world: World) -> Verdict {
    let docs = world.open(indexed()).await?;
    // Of each place two documents: their distances are equal, and their ids decide.
    let twins = cloud().take(150).map(|mut document| {
        document.id = format!("twin-{}", document.id).into();
        document
    });
    docs.put(cloud().chain(twins)).await?;
    for limit in [10, 60] {
        for filter in [Filter::all(), n().lt(300), n().lt(20)] {
            let search = docs.search().nearest_to(QUERY).filter(filter);
            let found = search.approximate().with_vectors().limit(limit).await?;
            assert!(!found.is_empty());
            for hit in &found {
                let embedding = &hit.document.embeddings["embedding"];
                let vector = embedding.vector().expect("vectors were asked for");
                let distance = Metric::Euclidean.distance(&QUERY, vector.as_slice());
                assert_eq!(Some(hit.distance), distance);
            }
            let keys = found.iter().map(|hit| (hit.distance, &hit.document.id));
            assert!(keys.is_sorted(), "by distance, then by id");
        }
    }
    Ok(())
}

async fn v10_what_misses_near_neighbours_says_so(world: World) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    for filter in [Filter::all(), n().lt(300), n().lt(100), n().lt(20)] {
        let nearest = ids(&exact(&docs, filter.clone(), 10).await?);
        let search = docs.search().nearest_to(QUERY).filter(filter);
        let found = search.approximate().await?;
        assert!(
            found.outcome().is_approximate() || ids(&found) == nearest,
            "{:?} is the outcome of a search that missed neighbours",
            found.outcome()
        );
    }
    Ok(())
}

async fn v10_a_field_may_be_approximate_by_default(world: World) -> Verdict {
    let field = embedding(4, Metric::Euclidean).approximate();
    let docs = world.open(unindexed().vector_field(field)).await?;
    docs.put(cloud()).await?;
    let asked = docs.search().nearest_to(QUERY).approximate().await?;
    let plain = docs.search().nearest_to(QUERY).await?;
    assert_eq!(
        plain.outcome(),
        asked.outcome(),
        "the declared default is what is done"
    );
    let exact = docs.search().nearest_to(QUERY).exact().await?;
    assert!(!exact.outcome().is_approximate());
    assert_eq!(exact.len(), 10);
    Ok(())
}

async fn v10_legs_may_be_approximate(world: World) -> Verdict {
    let schema = notes().vector_field(
        VectorFieldSchema::new("place", 4, Metric::Euclidean).indexed(Hnsw::default()),
    );
    let docs = world.open(schema).await?;
    docs.put(cloud().map(|mut document| {
        let place = document
            .embeddings
            .remove("embedding")
            .expect("it is there");
        document.with("body", "word").with_vector("place", place)
    }))
    .await?;
    let hybrid = || {
        docs.search()
            .hybrid_with("word", QUERY)
            .vector_field_named("place")
    };
    let found = hybrid().approximate().await?;
    assert_eq!((found.len(), found.outcome().legs[1].returned), (10, 50));
    assert!(!hybrid().exact().await?.outcome().is_approximate());
    let fused = docs
        .reader
        .fuse()
        .vector_in(&docs.kind, QUERY, |document: &DynamicRecord| {
            document.id.clone()
        })
        .vector_field_named("place")
        .approximate()
        .vector_in(&docs.kind, QUERY, |document: &DynamicRecord| {
            document.id.clone()
        })
        .vector_field_named("place")
        .exact()
        .await?;
    let returned: Vec<_> = fused
        .outcome()
        .legs
        .iter()
        .map(|leg| leg.returned)
        .collect();
    assert_eq!((fused.len(), returned), (10, vec![50, 50]));
    Ok(())
}

async fn v10_another_metric_is_exact(world: World) -> Verdict {
    let docs = world.open(indexed()).await?;
    docs.put(cloud()).await?;
    let by_l1 = || docs.search().nearest_to(QUERY).measured_by(Metric::L1);
    let found = by_l1().approximate().await?;
    assert!(!found.outcome().is_approximate());
    assert_eq!(ids(&found), ids(&by_l1().exact().await?));
    Ok(())
}

async fn d7_an_index_may_be_declared_over_rows_and_left_out_again(world: World) -> Verdict {
    let engine = world.engine().await?;
    let plain = || unindexed().vector("embedding", 4, Metric::Euclidean);
    let other = Hnsw {
        m: 8,
        ef_construction: 40,
    };
    let other = VectorFieldSchema::new("embedding", 4, Metric::Euclidean).indexed(other);
    let mut stored = None;
    for schema in [plain(), indexed(), unindexed().vector_field(other), plain()] {
        let schema = schema.build()?;
        let declared = schema.vectors()[0].index();
        let store = Store::builder(engine.clone()).schema(schema).open().await?;
        let docs = Docs::of(&store, "indexed", None)?;
        if let Some(before) = stored.replace(declared) {
            let changed = SchemaChange::IndexDeclared {
                field: "embedding".to_owned(),
                from: before,
                to: declared,
            };
            let (_, report) = store.reports().next().expect("a type is declared");
            assert!(report.changes.contains(&changed), "{report:?}");
        } else {
            docs.put(cloud()).await?;
        }
        for limit in [10, 500] {
            let found = docs
                .search()
                .nearest_to(QUERY)
                .approximate()
                .limit(limit)
                .await?;
            assert_eq!(found.len(), limit.min(400));
        }
    }
    Ok(())
}

async fn d7_an_index_is_built_only_where_changes_are_allowed(world: World) -> Verdict {
    let engine = world.engine().await?;
    let open = async |schema: SchemaBuilder, mode| {
        let builder = Store::builder(engine.clone()).schema(schema.build()?);
        builder.schema_mode(mode).open().await
    };
    open(points(2, Metric::L1), SchemaMode::CreateOrUpdate).await?;
    let columns = |field: VectorFieldSchema| {
        let all = points(2, Metric::L1).build()?;
        let begun = Schema::builder("points", "id", IdType::Text);
        let columns = all.columns().iter();
        let columns = columns.fold(begun, |b, c| b.column(c.name(), c.column_type()));
        Ok::<_, ermine_core::Error>(columns.vector_field(field))
    };
    for mode in [SchemaMode::Assert, SchemaMode::CreateOnly] {
        let opened = open(columns(embedding(2, Metric::L1))?, mode).await;
        refused(
            opened,
            ermine_core::ErrorKind::SchemaMismatch,
            &["points", "embedding", "hnsw"],
        );
        open(points(2, Metric::L1), mode).await?;
    }
    open(
        columns(embedding(2, Metric::L1))?,
        SchemaMode::CreateOrUpdate,
    )
    .await?;
    // What searches are by default is nobody's but the declaration's.
    let approximate = embedding(2, Metric::L1).approximate();
    open(columns(approximate)?, SchemaMode::Assert).await?;
    Ok(())
}
