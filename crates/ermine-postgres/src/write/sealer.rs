//! Who tends the text indexes, and when.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;

use super::seal::{TAIL, tails, tend};
use crate::layout::Layout;
use crate::pool::Pool;

/// Counts what is written, and tends a tenant's index beside the writers once enough is.
///
/// Nobody waits for it and searches are right without it, so a failure is left for the
/// next time, when as much has changed again. Several processes may do so at once: the
/// database lets one in.
pub(crate) struct Sealer {
    pool: Pool,
    runtime: Handle,
    state: Mutex<State>,
}

/// A type's name and a stored tenant.
type Place = (String, String);

#[derive(Default)]
struct State {
    changed: HashMap<Place, u64>,
    busy: HashSet<Place>,
}

impl Sealer {
    pub(crate) fn new(pool: Pool, runtime: Handle) -> Self {
        Self {
            pool,
            runtime,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of changed documents.
    pub(crate) fn count(self: &Arc<Self>, layout: &Arc<Layout>, tenant: &str, changed: u64) {
        if layout.text.is_none() || changed == 0 {
            return;
        }
        let place = (layout.schema.name().to_owned(), tenant.to_owned());
        let mut state = self.state();
        let count = state.changed.entry(place.clone()).or_default();
        *count += changed;
        if *count < TAIL || !state.busy.insert(place.clone()) {
            return;
        }
        state.changed.remove(&place);
        drop(state);
        let (sealer, layout) = (Arc::clone(self), Arc::clone(layout));
        self.runtime.spawn(async move {
            loop {
                let _ = tend(&sealer.pool, &layout, &place.1).await;
                // What came meanwhile may be enough by itself, and nothing may come after.
                let mut state = sealer.state();
                if state.changed.get(&place).is_none_or(|count| *count < TAIL) {
                    state.busy.remove(&place);
                    return;
                }
                state.changed.remove(&place);
            }
        });
    }

    /// Looks at what others left unsealed.
    pub(crate) fn seal_what_is_due(self: &Arc<Self>, layout: Arc<Layout>) {
        let sealer = Arc::clone(self);
        self.runtime.spawn(async move {
            for (tenant, count) in tails(&sealer.pool, &layout).await.unwrap_or_default() {
                sealer.count(&layout, &tenant, count);
            }
        });
    }
}
