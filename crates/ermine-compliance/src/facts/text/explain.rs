//! T11: every search says how it found what it found.

use ermine_core::{EmptyLeg, Figure, FilterPlace, LegKind, Plan};
use ermine_store::TextStyle;

use crate::facts::kit::{at, n, notes, says};
use crate::facts::{Verdict, World};

facts![
    t11_a_hit_tells_each_legs_rank_figure_weight_and_contribution,
    t11_a_search_tells_its_plan_and_what_it_read,
    t11_a_search_tells_where_its_filter_ran,
    t11_a_leg_tells_why_it_is_empty,
];

async fn t11_a_hit_tells_each_legs_rank_figure_weight_and_contribution(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([
        says("a", "pool pool").with_vector("embedding", [3.0, 4.0]),
        says("b", "pool sea").with_vector("embedding", [1.0, 0.0]),
        at("c", [0.0, 2.0]),
    ])
    .await?;
    let found = docs
        .search()
        .hybrid_with("pool", [0.0, 0.0])
        .leg_weights(2.0, 1.0)
        .k(10)
        .await?;
    let text = docs.search().matching("pool").await?;
    let a = found
        .iter()
        .find(|hit| hit.document.id.to_string() == "a")
        .expect("a is found");
    assert_eq!(a.legs.len(), 2);
    let (first, second) = (&a.legs[0], &a.legs[1]);
    assert_eq!((first.leg, first.kind, first.rank), (0, LegKind::Text, 1));
    assert_eq!(first.figure, Figure::Score(text[0].score));
    assert_eq!((first.weight, first.contribution), (2.0, 2.0 / 11.0));
    assert_eq!(
        (second.leg, second.kind, second.rank),
        (1, LegKind::Vector, 3)
    );
    assert!(matches!(second.figure, Figure::Distance(d) if d.value() == 5.0));
    assert_eq!((second.weight, second.contribution), (1.0, 1.0 / 13.0));
    assert_eq!(a.score.value(), 2.0 / 11.0 + 1.0 / 13.0);
    let c = found
        .iter()
        .find(|hit| hit.document.id.to_string() == "c")
        .expect("c is found");
    assert_eq!(c.legs.len(), 1);
    Ok(())
}

async fn t11_a_search_tells_its_plan_and_what_it_read(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put(
        (0..20_u8)
            .map(|i| says(&i.to_string(), "pool").with_vector("embedding", [f32::from(i), 1.0])),
    )
    .await?;
    let vector = docs.search().nearest_to([0.0, 1.0]).limit(7).await?;
    let text = docs.search().matching("pool").limit(7).await?;
    let hybrid = docs
        .search()
        .hybrid_with("pool", [0.0, 1.0])
        .limit(7)
        .await?;
    for (outcome, returned) in [
        (vector.outcome(), 7),
        (text.outcome(), 7),
        (hybrid.outcome(), 20),
    ] {
        assert!(!outcome.is_approximate());
        for leg in &outcome.legs {
            assert!(matches!(leg.plan, Plan::Exact | Plan::CodedThenExact));
            assert_eq!(leg.returned, returned);
            assert!(
                leg.rows_read >= 20,
                "an exact leg reads every match: {leg:?}"
            );
            assert_eq!(leg.empty, None);
        }
    }
    let kinds = |outcome: &ermine_core::Outcome| -> Vec<LegKind> {
        outcome.legs.iter().map(|leg| leg.kind).collect()
    };
    assert_eq!(kinds(vector.outcome()), [LegKind::Vector]);
    assert_eq!(kinds(text.outcome()), [LegKind::Text]);
    assert_eq!(kinds(hybrid.outcome()), [LegKind::Text, LegKind::Vector]);
    Ok(())
}

async fn t11_a_search_tells_where_its_filter_ran(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool")
        .with("n", 1)
        .with_vector("embedding", [1.0, 1.0])])
        .await?;
    let bare = docs.search().hybrid_with("pool", [0.0, 1.0]).await?;
    assert!(
        bare.outcome()
            .legs
            .iter()
            .all(|leg| leg.filter == FilterPlace::None)
    );
    let filtered = docs
        .search()
        .hybrid_with("pool", [0.0, 1.0])
        .filter(n().eq(1))
        .await?;
    let ran = [FilterPlace::BeforeScan, FilterPlace::DuringScan];
    assert!(
        filtered
            .outcome()
            .legs
            .iter()
            .all(|leg| ran.contains(&leg.filter))
    );
    let left_out = docs
        .search()
        .hybrid_with("", [0.0, 1.0])
        .filter(n().eq(1))
        .await?;
    assert_eq!(left_out.outcome().legs[0].filter, FilterPlace::NotRun);
    Ok(())
}

async fn t11_a_leg_tells_why_it_is_empty(world: World) -> Verdict {
    let docs = world.open(notes()).await?;
    docs.put([says("a", "pool").with_vector("embedding", [1.0, 1.0])])
        .await?;
    let text = |query: &'static str| docs.search().matching(query).text_style(TextStyle::Web);
    let reasons = [
        (text("sea").await?, EmptyLeg::NoMatch),
        (text("…").await?, EmptyLeg::NoTerms),
        (text("-pool").await?, EmptyLeg::OnlyExclusions),
        (text("pool").limit(0).await?, EmptyLeg::NothingAsked),
    ];
    for (found, why) in reasons {
        assert_eq!(found.outcome().legs[0].empty, Some(why));
    }
    let vector = docs.search().nearest_to([1.0, 1.0]);
    let none = vector.filter(n().eq(9)).await?;
    assert_eq!(none.outcome().legs[0].empty, Some(EmptyLeg::NoMatch));
    let none = docs.search().nearest_to([1.0, 1.0]).limit(0).await?;
    assert_eq!(none.outcome().legs[0].empty, Some(EmptyLeg::NothingAsked));
    Ok(())
}
