//! D9: serde's names hold everywhere; and documents of Rust types.

use ermine_core::{Direction, Embedding, ErrorKind, TenantId, Vector};
use ermine_macros::{Document, Fields};
use serde::{Deserialize, Serialize};

use crate::facts::kit::refused;
use crate::facts::{Verdict, World};

facts![
    d9_renamed_fields_filter_order_and_search,
    d9_renamed_fields_are_embedded,
    d9_renamed_fields_are_stored_under_their_names,
    d8_a_body_that_lacks_a_field_of_its_type_is_an_error_naming_its_id,
    f5_a_filter_is_of_one_document_type,
];

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "pages")]
#[serde(rename_all = "camelCase")]
struct Page {
    #[document(id)]
    #[serde(rename = "_id")]
    id: String,
    #[document(index)]
    page_number: i64,
    #[document(index, text)]
    #[serde(rename = "Scope.of it")]
    scope: String,
    #[document(text, weight = 3.0)]
    main_title: Option<String>,
    #[document(nested)]
    written_by: Author,
    #[document(vector(dimensions = 2, metric = "l2"))]
    page_vector: Embedding,
}

#[derive(Debug, Clone, PartialEq, Fields, Serialize, Deserialize)]
#[document(crate = "ermine_core")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
struct Author {
    #[document(index)]
    last_name: String,
}

fn page(id: &str, number: i64, title: &str) -> Page {
    Page {
        id: id.to_owned(),
        page_number: number,
        scope: format!("scope {id}"),
        main_title: (!title.is_empty()).then(|| title.to_owned()),
        written_by: Author {
            last_name: format!("name {id}"),
        },
        page_vector: Embedding::Present(Vector::from([number as f32, 0.0])),
    }
}

async fn d9_renamed_fields_filter_order_and_search(world: World) -> Verdict {
    let store = world.store(|builder| builder.document::<Page>()).await?;
    let mut session = store.session_without_tenant();
    for page in [page("a", 2, "pool"), page("b", 1, ""), page("c", 3, "sea")] {
        session.store(&page);
    }
    session.commit().await?;
    let reader = store.reader_without_tenant();
    let of = |pages: Vec<Page>| pages.into_iter().map(|page| page.id).collect::<Vec<_>>();
    let found = reader
        .query::<Page>()
        .order_by(Page::PAGE_NUMBER, Direction::Ascending)
        .await?;
    assert_eq!(of(found), ["b", "a", "c"]);
    let filters = [
        (Page::PAGE_NUMBER.ge(2) & Page::ID.ne("c"), "a"),
        (Page::SCOPE.eq("scope b"), "b"),
        (Page::WRITTEN_BY.at(Author::LAST_NAME).eq("name c"), "c"),
    ];
    for (filter, expected) in filters {
        assert_eq!(of(reader.query::<Page>().filter(filter).await?), [expected]);
    }
    let text = reader
        .search::<Page>()
        .matching("pool")
        .text_fields([Page::MAIN_TITLE])
        .await?;
    assert_eq!(
        text.documents().next(),
        Some(&Page {
            page_vector: Embedding::NotLoaded,
            ..page("a", 2, "pool")
        })
    );
    let text = reader
        .search::<Page>()
        .matching("scope")
        .text_fields([Page::SCOPE.text()])
        .await?;
    assert_eq!(text.len(), 3);
    let nearest = reader
        .search::<Page>()
        .nearest_to([1.0, 0.0])
        .vector_field(Page::PAGE_VECTOR);
    assert_eq!(nearest.await?[0].document.id, "b");
    let rust_name = ermine_core::Column::<Page, i64>::new("page_number");
    let unknown = reader.query::<Page>().filter(rust_name.eq(1)).await;
    refused(
        unknown,
        ErrorKind::UnknownField,
        &["page_number", "pageNumber"],
    );
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Document, Serialize, Deserialize)]
#[document(crate = "ermine_core", name = "leaflets")]
#[serde(rename_all = "kebab-case")]
struct Leaflet {
    #[document(id)]
    leaflet_id: String,
    #[document(text)]
    first_line: String,
    #[serde(rename = "Second Line")]
    second_line: String,
    #[document(vector(dimensions = 2, metric = "l2", from = "second_line, first_line"))]
    line_vector: Embedding,
}

async fn d9_renamed_fields_are_embedded(world: World) -> Verdict {
    let scribe = crate::facts::provider::Scribe::new();
    let store = world
        .store(|builder| builder.document::<Leaflet>().embeddings(scribe.clone()))
        .await?;
    let leaflet = Leaflet {
        leaflet_id: "a".to_owned(),
        first_line: "one".to_owned(),
        second_line: "two".to_owned(),
        line_vector: Embedding::NotLoaded,
    };
    let mut session = store.session_without_tenant();
    session.store(&leaflet);
    session.commit().await?;
    assert_eq!(scribe.stored(), ["two\none"]);
    let loaded = store.reader_without_tenant().load::<Leaflet>("a").await?;
    assert_eq!(
        loaded.map(|l| l.line_vector),
        Some(Embedding::Present(Vector::from([7.0, 1.0])))
    );
    Ok(())
}

async fn d9_renamed_fields_are_stored_under_their_names(world: World) -> Verdict {
    let store = world.store(|builder| builder.document::<Page>()).await?;
    let mut session = store.session_without_tenant();
    session.store(&page("a", 2, "pool"));
    session.commit().await?;
    let dynamic = store.dynamic("pages")?;
    let found = store
        .reader_without_tenant()
        .load_in(&dynamic, "a")
        .await?
        .expect("it is stored");
    assert_eq!(found.get("pageNumber"), Some(&2.into()));
    assert_eq!(found.get("Scope.of it"), Some(&"scope a".into()));
    assert_eq!(found.get("writtenBy.LAST_NAME"), Some(&"name a".into()));
    assert!(found.embeddings["pageVector"].vector().is_some());
    let again = store.reader_without_tenant().load::<Page>("a").await?;
    assert_eq!(again, Some(page("a", 2, "pool")));
    Ok(())
}

async fn d8_a_body_that_lacks_a_field_of_its_type_is_an_error_naming_its_id(
    world: World,
) -> Verdict {
    let store = world.store(|builder| builder.document::<Page>()).await?;
    let mut session = store.session_without_tenant();
    session.store(&page("torn", 2, "pool"));
    session.commit().await?;
    let none: Option<&TenantId> = None;
    for body in ["{}", r#"{"_id": "torn", "pageNumber": "two"}"#] {
        world.overwrite_body("pages", none, "torn", body).await?;
        let reader = store.reader_without_tenant();
        refused(
            reader.load::<Page>("torn").await,
            ErrorKind::Body,
            &["pages", "torn"],
        );
        refused(
            reader.query::<Page>().await,
            ErrorKind::Body,
            &["pages", "torn"],
        );
        let search = reader.search::<Page>().matching("pool").await;
        refused(search, ErrorKind::Body, &["pages", "torn"]);
    }
    Ok(())
}

async fn f5_a_filter_is_of_one_document_type(world: World) -> Verdict {
    let builder = world.store(|builder| {
        builder
            .document::<Page>()
            .document::<Leaflet>()
            .embeddings(crate::facts::provider::Scribe::new())
    });
    let reader = builder.await?.reader_without_tenant();
    // That a filter of pages does not compile against leaflets is for the compiler
    // to say; made of untyped parts, it is refused when it is used.
    let of_pages = ermine_core::Filter::<Leaflet>::from_expr(Page::PAGE_NUMBER.eq(1).into_expr());
    let found = reader.query::<Leaflet>().filter(of_pages).await;
    refused(found, ErrorKind::UnknownField, &["leaflets", "pageNumber"]);
    Ok(())
}
