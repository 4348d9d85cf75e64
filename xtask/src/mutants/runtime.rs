//! Mistakes that a runtime of projections makes, as changes of a line or a few of this one.

use super::Mutant;

const DRAFT: &str = "crates/ermine-store/src/daemon/draft.rs";
const EMBEDDER: &str = "crates/ermine-store/src/daemon/embedder.rs";
const PAGE: &str = "crates/ermine-store/src/daemon/page.rs";
const REBUILD: &str = "crates/ermine-store/src/daemon/rebuild.rs";
const REPLAY: &str = "crates/ermine-store/src/daemon/replay.rs";
const RUNNER: &str = "crates/ermine-store/src/daemon/runner.rs";
const WAIT: &str = "crates/ermine-store/src/daemon/wait.rs";
const WORKER: &str = "crates/ermine-store/src/daemon/worker.rs";
const WRITE: &str = "crates/ermine-store/src/daemon/write.rs";
const PLAN: &str = "crates/ermine-core/src/projection/plan.rs";
const NEEDED: &str = "crates/ermine-core/src/projection/needed.rs";

const fn mutant(
    name: &'static str,
    rule: &'static str,
    file: &'static str,
    original: &'static str,
    mistaken: &'static str,
) -> Mutant {
    Mutant {
        name,
        rule,
        file,
        original,
        mistaken,
    }
}

pub(super) const ALL: [Mutant; 26] = [
    mutant(
        "early batches are not guarded",
        "p1",
        WRITE,
        "self.commit(self.hold(guard), batch).await?;",
        "let Batch { ops, .. } = batch;\n            let _ = guard;\n            self.runtime.engine.commit(&Unit { ops }).await?;",
    ),
    mutant(
        "progress is written after the rows",
        "p1",
        WRITE,
        "        self.runtime.engine.commit(&Unit { ops }).await?;",
        "        let rows = ops.split_off(1);\n        self.runtime.engine.commit(&Unit { ops: rows }).await?;\n        self.runtime.engine.commit(&Unit { ops }).await?;",
    ),
    mutant(
        "progress is written before the rows",
        "p1",
        WRITE,
        "        self.runtime.engine.commit(&Unit { ops }).await?;",
        "        let rows = ops.split_off(1);\n        self.runtime.engine.commit(&Unit { ops }).await?;\n        self.runtime.engine.commit(&Unit { ops: rows }).await?;",
    ),
    mutant(
        "a lease is not renewed",
        "p1",
        RUNNER,
        "options.clock.sleep(options.renewal()).await;",
        "options.clock.sleep(options.renewal() * 1_000_000).await;",
    ),
    mutant(
        "the ceiling is the mark",
        "p2",
        RUNNER,
        "let (to, mark) = (page.ceiling, page.mark);",
        "let (to, mark) = (page.mark, page.mark);",
    ),
    mutant(
        "an empty text is a text",
        "p3",
        PLAN,
        "Effect::Write(id, text) if text.is_empty() => (id, Outcome::Deleted),",
        "",
    ),
    mutant(
        "deletes go before writes",
        "p4",
        PLAN,
        "            self.entries.insert(",
        "            if matches!(outcome, Outcome::Deleted) && self.entries.contains_key(&order_of(&key)) {\n                continue;\n            }\n            self.entries.insert(",
    ),
    mutant(
        "the first word on a row wins",
        "p4",
        PLAN,
        "            self.entries.insert(",
        "            if self.entries.contains_key(&order_of(&key)) {\n                continue;\n            }\n            self.entries.insert(",
    ),
    mutant(
        "a row has the text of a later event",
        "p5",
        NEEDED,
        "self.needed.pop_front_if(|n| n.version <= event.version)",
        "self.needed.pop_front_if(|n| n.version < event.version)",
    ),
    mutant(
        "an aggregate that is gone keeps its row",
        "p5",
        PLAN,
        "                _ => Outcome::Deleted,",
        "                _ => return,",
    ),
    mutant(
        "unchanged text is embedded",
        "p7",
        DRAFT,
        "Change::Vector(field) if state(field) == Some(&field.hash) => {",
        "Change::Vector(field) if state(field) == Some(&field.hash) && field.text.is_empty() => {",
    ),
    mutant(
        "whatever has a vector is unchanged",
        "p7",
        DRAFT,
        "} else if state(field) == Some(&field.hash) {",
        "} else if state(field).is_some() {",
    ),
    mutant(
        "a text is sent as often as it is found",
        "p7",
        EMBEDDER,
        "if self.answer(one).is_some() || !seen.insert((one.provider, &one.hash)) {",
        "if self.answer(one).is_some() || (seen.insert((one.provider, &one.hash)) && false) {",
    ),
    mutant(
        "a batch is refused whole",
        "p9",
        EMBEDDER,
        "let (first, second) = several.split_at(several.len() / 2);\n                        parts.push_front(second);\n                        parts.push_front(first);",
        "for one in several {\n                            self.set(one, Answered::Rejected(error.to_string()));\n                        }",
    ),
    mutant(
        "a provider's failure is its answer to the text",
        "p9",
        EMBEDDER,
        "Err(error) if error.kind() == ErrorKind::RejectedText => match part {",
        "Err(error) if error.kind() != ErrorKind::Timeout => match part {",
    ),
    mutant(
        "a provider is asked again at once",
        "p9",
        EMBEDDER,
        "error.retry_after().map_or(own, |asked| asked.max(own));",
        "error.retry_after().map_or(own, |_| own);",
    ),
    mutant(
        "an event that fails is dropped without a record",
        "p10",
        WORKER,
        "                        self.park(error.position, error.tenant, &error.error),\n",
        "",
    ),
    mutant(
        "a replay applies the old event over the new",
        "p10",
        REPLAY,
        "RebuiltBy::LastWords => self.stream_of(event, guard.from).await?,",
        "RebuiltBy::LastWords if guard.from == Position::START => {\n                self.stream_of(event, guard.from).await?\n            }\n            RebuiltBy::LastWords => vec![event],",
    ),
    mutant(
        "a replayed event stays parked",
        "p10",
        REPLAY,
        "besides: vec![unpark],",
        "besides: vec![unpark; 0],",
    ),
    mutant(
        "a rebuild removes what is there first",
        "p11",
        REBUILD,
        "        self.forget_parked(guard, up_to).await?;",
        "        self.forget_parked(guard, up_to).await?;\n        self.remove_unknown(guard, &LastWords::default()).await?;",
    ),
    mutant(
        "a rebuild leaves what no event makes",
        "p11",
        REBUILD,
        "        self.remove_unknown(guard, &last).await?;",
        "",
    ),
    mutant(
        "a rebuild embeds what is not final",
        "p11",
        REBUILD,
        "only: Some(&last),",
        "only: None,",
    ),
    mutant(
        "a wait is over when one shard has come far enough",
        "p13",
        WAIT,
        "let Some((position, laggard, state)) = behind.min_by_key(|(position, ..)| *position) else {",
        "let behind = behind.skip(1);\n        let Some((position, laggard, state)) = behind.min_by_key(|(position, ..)| *position) else {",
    ),
    mutant(
        "tenants share rows",
        "p14",
        PLAN,
        "    (key.tenant.clone(), key.id.to_id())",
        "    (None, key.id.to_id())",
    ),
    mutant(
        "a mask is not followed",
        "p15",
        PAGE,
        "masked.insert((event.tenant, event.stream), event.version);",
        "",
    ),
    mutant(
        "a stream that is removed meanwhile is written",
        "p15",
        WRITE,
        "expected: Expected::Open,",
        "expected: Expected::Any,",
    ),
];
