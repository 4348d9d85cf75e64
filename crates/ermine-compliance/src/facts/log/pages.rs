//! P2: how far a page looked.

use ermine_core::{EventFilter, Expected, Position};

use super::kit::{Log, append, only, positions};
use crate::facts::Verdict;

event_facts![
    p2_a_full_page_ends_at_its_last_event,
    p2_a_page_that_is_not_full_reaches_the_mark,
    p2_a_filter_by_types_misses_nothing_whatever_the_limit,
    p2_a_page_looks_no_further_than_it_is_told,
    p2_a_ceiling_never_lies_before_its_page,
];

/// Ten events: `a b c a b c …`, of a stream each.
async fn alternating(log: &Log) -> ermine_core::Result<Vec<u64>> {
    for at in 0..10 {
        let name = ["a", "b", "c"][at % 3];
        log.commit([append(name, Expected::Any, [name])]).await?;
    }
    Ok(positions(&log.all().await?))
}

async fn p2_a_full_page_ends_at_its_last_event(log: Log) -> Verdict {
    let all = alternating(&log).await?;
    let page = log.page(0, &EventFilter::default(), 4).await?;
    assert_eq!(positions(&page.events), all[..4]);
    assert_eq!(page.ceiling.get(), all[3]);
    assert_eq!(page.mark.get(), all[9]);
    let page = log.page(0, &only(["b"]), 2).await?;
    assert_eq!(positions(&page.events), [all[1], all[4]]);
    assert_eq!(page.ceiling.get(), all[4]);
    // Exactly full, it cannot know that nothing follows.
    let page = log.page(0, &only(["b"]), 3).await?;
    assert_eq!(positions(&page.events), [all[1], all[4], all[7]]);
    assert_eq!(page.ceiling.get(), all[7]);
    Ok(())
}

async fn p2_a_page_that_is_not_full_reaches_the_mark(log: Log) -> Verdict {
    let empty = log.page(0, &EventFilter::default(), 4).await?;
    assert_eq!((empty.events.len(), empty.ceiling), (0, Position::START));
    let all = alternating(&log).await?;
    for filter in [only(["b"]), only(["none such"]), only([])] {
        let page = log.page(0, &filter, 4).await?;
        assert!(page.events.len() < 4);
        assert_eq!((page.ceiling, page.mark.get()), (page.mark, all[9]));
    }
    let page = log.page(all[7], &EventFilter::default(), 4).await?;
    assert_eq!(positions(&page.events), all[8..]);
    assert_eq!(page.ceiling.get(), all[9]);
    Ok(())
}

async fn p2_a_filter_by_types_misses_nothing_whatever_the_limit(log: Log) -> Verdict {
    let all = alternating(&log).await?;
    let of = |types: &[&str]| -> Vec<u64> {
        let passes = |at: &usize| types.contains(&["a", "b", "c"][at % 3]);
        (0..10).filter(passes).map(|at| all[at]).collect()
    };
    for (filter, expected) in [
        (only(["b"]), of(&["b"])),
        (only(["c", "a"]), of(&["a", "c"])),
        (only(["c", "b", "c", "none such"]), of(&["b", "c"])),
    ] {
        for limit in 1..12 {
            let (mut seen, mut after) = (Vec::new(), 0);
            // One page for each event, and one that is not full, are enough.
            for _ in 0..=all.len() {
                let page = log.page(after, &filter, limit).await?;
                assert!(page.events.len() <= limit);
                seen.extend(positions(&page.events));
                after = page.ceiling.get();
                if page.ceiling == page.mark {
                    break;
                }
            }
            assert_eq!(seen, expected, "{filter:?} by {limit}");
        }
    }
    // Names are compared whole, as they are written.
    for other in ["A", "a ", "", "a%"] {
        let page = log.page(0, &only([other]), 9).await?;
        assert!(page.events.is_empty(), "{other:?}");
    }
    Ok(())
}

async fn p2_a_page_looks_no_further_than_it_is_told(log: Log) -> Verdict {
    let all = alternating(&log).await?;
    let up_to = |position: u64, filter: EventFilter| EventFilter {
        up_to: Some(Position::at(position)),
        ..filter
    };
    let everything = EventFilter::default;
    let page = log.page(0, &up_to(all[4], everything()), 100).await?;
    assert_eq!(positions(&page.events), all[..5]);
    assert_eq!((page.ceiling.get(), page.mark.get()), (all[4], all[9]));
    let page = log.page(0, &up_to(all[4], everything()), 2).await?;
    assert_eq!(page.ceiling.get(), all[1]);
    let page = log.page(0, &up_to(all[6], only(["b", "c"])), 100).await?;
    assert_eq!(positions(&page.events), [all[1], all[2], all[4], all[5]]);
    assert_eq!(page.ceiling.get(), all[6]);
    // A mark is no promise of events.
    let page = log.page(0, &up_to(all[9] + 5, everything()), 100).await?;
    assert_eq!((page.events.len(), page.ceiling), (10, page.mark));
    Ok(())
}

async fn p2_a_ceiling_never_lies_before_its_page(log: Log) -> Verdict {
    let all = alternating(&log).await?;
    let beyond = all[9] + 7;
    let page = log.page(beyond, &EventFilter::default(), 5).await?;
    assert_eq!((page.events.len(), page.ceiling.get()), (0, beyond));
    assert_eq!(page.mark.get(), all[9]);
    let filter = EventFilter {
        up_to: Some(Position::at(all[2])),
        ..only(["a"])
    };
    let page = log.page(all[5], &filter, 5).await?;
    assert_eq!((page.events.len(), page.ceiling.get()), (0, all[5]));
    let page = log.page(all[3], &EventFilter::default(), 0).await?;
    assert_eq!((page.events.len(), page.ceiling.get()), (0, all[3]));
    Ok(())
}
