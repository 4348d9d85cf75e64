//! P8, P9: providers that lie, fail, or refuse.

use std::time::Duration;

use ermine_core::{BatchLimits, Embedding, ErrorKind};

use super::kit::{
    Memory, append, assert_notes, catch_up, daemon, memory_store, new_body, note_store, notes,
    recorded, written,
};
use super::model::{Model, Trouble};
use crate::facts::kit::failed;
use crate::facts::{Verdict, World};

facts![
    p8_an_answer_that_is_wrong_writes_nothing,
    p8_a_page_is_one_call_where_it_fits,
    p8_batches_are_bounded_by_tokens_and_one_text_of_too_many_is_parked,
    p9_a_provider_is_asked_again_when_it_says,
    p9_a_provider_that_keeps_failing_pauses_the_shard_with_the_reason,
    p9_a_refused_text_is_found_in_its_batch_and_parked_alone,
    p9_a_refused_text_leaves_no_vector_of_another,
    p9_what_was_embedded_is_not_sent_again,
];

async fn p8_an_answer_that_is_wrong_writes_nothing(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let animals = [
        written("a", "cat"),
        written("b", "mouse"),
        written("c", "hippo"),
    ];
    append(&store, "s", animals).await?;
    let strict = daemon(&store).provider_attempts(1, Duration::from_secs(1));
    for trouble in [
        Trouble::TooFew,
        Trouble::WrongLength,
        Trouble::Nan,
        Trouble::Fails,
    ] {
        model.script([trouble.clone()]);
        let error = failed(strict.run_until_caught_up().await);
        assert_eq!(error.kind(), ErrorKind::Paused, "{trouble:?}: {error}");
        assert_notes(&store, &[]).await?;
        let status = store.daemon().status().await?;
        assert_eq!(status[0].position.get(), 0, "{trouble:?}");
        store.daemon().resume("note-vectors").await?;
    }
    strict.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "cat"), ("b", "mouse"), ("c", "hippo")]).await
}

async fn p8_a_page_is_one_call_where_it_fits(world: World) -> Verdict {
    let limits = BatchLimits {
        texts: 3,
        ..BatchLimits::default()
    };
    let model = Model::new().with_limits(limits);
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    catch_up(&store).await?;
    assert!(model.calls().is_empty());
    let texts = ["a", "bb", "ccc", "dddd"];
    append(&store, "s", texts.map(|text| written(text, text))).await?;
    catch_up(&store).await?;
    assert_eq!(model.calls(), [vec!["a", "bb", "ccc"], vec!["dddd"]]);
    assert_notes(&store, &texts.map(|text| (text, text))).await
}

async fn p8_batches_are_bounded_by_tokens_and_one_text_of_too_many_is_parked(
    world: World,
) -> Verdict {
    let limits = BatchLimits {
        tokens: 10,
        ..BatchLimits::default()
    };
    let model = Model::new().with_limits(limits);
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let texts = [
        written("a", "aaaa"),
        written("b", "bbbb"),
        written("c", "cccc"),
        written("d", "ddddddddddd"),
    ];
    let token = append(&store, "s", texts).await?;
    catch_up(&store).await?;
    assert_eq!(model.calls(), [vec!["aaaa", "bbbb"], vec!["cccc"]]);
    let rows = [("a", "aaaa"), ("b", "bbbb"), ("c", "cccc")];
    assert_notes(&store, &rows).await?;
    let parked = store
        .daemon()
        .parked("note-vectors", Default::default(), 10)
        .await?;
    assert_eq!(parked.len(), 1);
    assert_eq!(Some(parked[0].key.position), token.position());
    assert!(
        parked[0].reason.contains("11 tokens"),
        "{}",
        parked[0].reason
    );
    // A second try sends none of the others again.
    let report = daemon(&store).replay_parked("note-vectors").await?;
    assert_eq!((report.applied, report.failed), (0, 1));
    assert!(model.calls().is_empty());
    assert_notes(&store, &rows).await
}

async fn p9_a_provider_is_asked_again_when_it_says(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha"), written("b", "beta")]).await?;
    let wait = Duration::from_secs(2);
    model.script([Trouble::RetryAfter(wait)]);
    daemon(&store)
        .provider_attempts(3, Duration::from_millis(1))
        .run_until_caught_up()
        .await?;
    let calls = model.timed_calls();
    assert_eq!(calls.len(), 2);
    assert!(calls[1].0.saturating_since(calls[0].0) >= wait, "{calls:?}");
    let counts = store.daemon().status().await?[0].counts;
    assert_eq!((counts.calls, counts.texts), (2, 2));
    assert_notes(&store, &[("a", "alpha"), ("b", "beta")]).await
}

async fn p9_a_provider_that_keeps_failing_pauses_the_shard_with_the_reason(
    world: World,
) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    append(&store, "s", [written("a", "alpha")]).await?;
    model.script([Trouble::Fails, Trouble::Fails, Trouble::Fails]);
    // Not what an event's error is: nothing is parked.
    let parking = daemon(&store)
        .on_error(ermine_store::ErrorPolicy::Park)
        .provider_attempts(3, Duration::from_secs(1));
    let error = failed(parking.run_until_caught_up().await);
    assert_eq!(error.kind(), ErrorKind::Paused);
    assert!(error.to_string().contains("the model is out"), "{error}");
    assert_eq!(model.calls().len(), 3);
    let parked = parking.parked("note-vectors", Default::default(), 10);
    assert!(parked.await?.is_empty());
    parking.resume("note-vectors").await?;
    parking.run_until_caught_up().await?;
    assert_notes(&store, &[("a", "alpha")]).await
}

async fn p9_a_refused_text_is_found_in_its_batch_and_parked_alone(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let events = [
        written("a", "alpha"),
        written("b", "beta"),
        written("c", "forbidden"),
        written("d", "delta"),
        written("e", "eta"),
    ];
    append(&store, "s", events).await?;
    catch_up(&store).await?;
    let rows = [("a", "alpha"), ("b", "beta"), ("d", "delta"), ("e", "eta")];
    assert_notes(&store, &rows).await?;
    let parked = daemon(&store)
        .parked("note-vectors", Default::default(), 10)
        .await?;
    assert_eq!(parked.len(), 1);
    assert!(parked[0].reason.contains("does not speak of that"));
    // Each other text was in one call that was answered.
    let answered = store.daemon().status().await?[0].counts.texts;
    assert_eq!(answered, 4);
    // The event that made it right is the last word; the parked one is not.
    append(&store, "s", [written("c", "gamma")]).await?;
    catch_up(&store).await?;
    let report = daemon(&store).replay_parked("note-vectors").await?;
    assert_eq!((report.applied, report.failed), (1, 0));
    let parked = daemon(&store)
        .parked("note-vectors", Default::default(), 10)
        .await?;
    assert!(parked.is_empty());
    let rows = [
        ("a", "alpha"),
        ("b", "beta"),
        ("c", "gamma"),
        ("d", "delta"),
        ("e", "eta"),
    ];
    assert_notes(&store, &rows).await
}

async fn p9_a_refused_text_leaves_no_vector_of_another(world: World) -> Verdict {
    let model = Model::new();
    let Some(store) = memory_store(&world, &model).await? else {
        return Ok(());
    };
    let mut session = store.session("a");
    session.append("one", [recorded("Pool", "body", "db")]);
    session.commit().await?;
    catch_up(&store).await?;
    session.append("one", [new_body("forbidden")]);
    session.commit().await?;
    catch_up(&store).await?;
    let memory = session.load::<Memory>("one").await?.expect("it exists");
    assert_eq!(memory.body, "forbidden");
    assert_eq!(memory.embedding, Embedding::Absent);
    session.append("one", [new_body("allowed")]);
    session.commit().await?;
    catch_up(&store).await?;
    let memory = session.load::<Memory>("one").await?.expect("it exists");
    let vector = Model::vector(&memory.text());
    assert_eq!(memory.embedding.vector(), Some(&vector));
    Ok(())
}

async fn p9_what_was_embedded_is_not_sent_again(world: World) -> Verdict {
    let limits = BatchLimits {
        texts: 2,
        ..BatchLimits::default()
    };
    let model = Model::new().with_limits(limits);
    let Some(store) = note_store(&world, &model).await? else {
        return Ok(());
    };
    let texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    append(&store, "s", texts.map(|text| written(text, text))).await?;
    model.script([Trouble::None, Trouble::Fails, Trouble::None, Trouble::Fails]);
    let strict = daemon(&store).provider_attempts(1, Duration::from_secs(1));
    failed(strict.run_until_caught_up().await);
    // The batch that was answered is committed; the shard has not moved.
    assert_eq!(notes(&store).await?.len(), 2);
    assert_eq!(strict.status().await?[0].position.get(), 0);
    strict.resume("note-vectors").await?;
    failed(strict.run_until_caught_up().await);
    strict.resume("note-vectors").await?;
    strict.run_until_caught_up().await?;
    let calls = model.calls();
    assert_eq!(
        calls,
        [
            vec!["a", "bb"],
            vec!["ccc", "dddd"],
            vec!["ccc", "dddd"],
            vec!["eeeee"],
            vec!["eeeee"],
        ]
    );
    assert_notes(&store, &texts.map(|text| (text, text))).await
}
