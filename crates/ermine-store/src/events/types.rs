//! The event types of a store, and the one path on which what is stored is read.

use std::any::{TypeId, type_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ermine_core::{Error, ErrorKind, Event, Result, StoredEvent};

/// A Rust type of events, as the builder was told of it.
#[derive(Clone, Copy)]
pub(crate) struct DeclaredEvents {
    rust: TypeId,
    rust_name: &'static str,
    names: fn() -> &'static [&'static str],
    check: fn(&str, &str) -> Result<()>,
}

impl DeclaredEvents {
    pub(crate) fn of<E: Event>() -> Self {
        Self {
            rust: TypeId::of::<E>(),
            rust_name: type_name::<E>(),
            names: E::event_types,
            check: |name, data| E::from_data(name, data).map(drop),
        }
    }
}

/// How events of an old name become events of another.
pub(crate) struct Upcast {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) upcast: Box<Upcaster>,
}

type Upcaster = dyn Fn(&str) -> Result<String> + Send + Sync;

/// The declared event types and the functions that bring older ones up to them
/// (rule E2). Whatever reads events reads them through [`current`](Self::current).
#[derive(Default)]
pub(crate) struct EventTypes {
    declared: BTreeMap<&'static str, DeclaredEvents>,
    upcasts: BTreeMap<String, (String, Box<Upcaster>)>,
}

impl EventTypes {
    /// Refuses two types of one name, and old names that lead nowhere.
    pub(crate) fn of(
        declared: impl IntoIterator<Item = DeclaredEvents>,
        upcasts: impl IntoIterator<Item = Upcast>,
    ) -> Result<Self> {
        let mut types = Self::default();
        let mut known = BTreeSet::new();
        for events in declared {
            if known.insert(events.rust) {
                types.declare(events)?;
            }
        }
        for Upcast { from, to, upcast } in upcasts {
            if types.declared.contains_key(from.as_str()) {
                return Err(refused(format!(
                    "events named {from:?} are upcast to {to:?}, and {from:?} is a declared event type; give the new shape another name"
                )));
            }
            if let Some((first, _)) = types.upcasts.get(&from) {
                return Err(refused(format!(
                    "events named {from:?} are upcast to {first:?} and to {to:?}; leave one out"
                )));
            }
            types.upcasts.insert(from, (to, upcast));
        }
        types
            .upcasts
            .keys()
            .try_for_each(|from| types.check_chain(from))?;
        Ok(types)
    }

    fn declare(&mut self, events: DeclaredEvents) -> Result<()> {
        for name in (events.names)() {
            if name.is_empty() || name.contains('\0') || name.starts_with("ermine.") {
                return Err(refused(format!(
                    "`{}` names an event type {name:?}: a name is not empty, has no U+0000, and does not begin with \"ermine.\"",
                    events.rust_name
                )));
            }
            if let Some(first) = self.declared.insert(name, events) {
                return Err(refused(format!(
                    "`{}` and `{}` both have an event type named {name:?}; name one of them otherwise: `#[event(name = \"…\")]`",
                    first.rust_name, events.rust_name
                )));
            }
        }
        Ok(())
    }

    /// Refuses a chain of upcasts that does not end in a declared type.
    fn check_chain(&self, from: &str) -> Result<()> {
        let last = self.last_name(from);
        match last {
            Some(last) if self.declared.contains_key(last) => Ok(()),
            Some(last) => Err(refused(format!(
                "events named {from:?} are upcast to {last:?}, which is no declared event type; declare it: `.events::<…>()`"
            ))),
            None => Err(refused(format!(
                "events named {from:?} are upcast in a circle"
            ))),
        }
    }

    /// The name that a stored one is read under; `None` for a circle.
    fn last_name<'a>(&'a self, from: &'a str) -> Option<&'a str> {
        let mut name = from;
        for _ in 0..=self.upcasts.len() {
            match self.upcasts.get(name) {
                Some((to, _)) => name = to,
                None => return Some(name),
            }
        }
        None
    }

    /// Refuses a type of events that the store was not told of.
    pub(crate) fn require<E: Event>(&self) -> Result<()> {
        let told = |name: &&str| {
            let declared = self.declared.get(name);
            declared.is_some_and(|declared| declared.rust == TypeId::of::<E>())
        };
        if E::event_types().iter().all(told) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::UnknownCollection,
            format!(
                "the store was not told of the events `{0}`; declare them when the store is built: `.events::<{0}>()`",
                type_name::<E>()
            ),
        ))
    }

    /// Whether an event type of this name is declared.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// An event as today's code reads it: old names and shapes brought up to date.
    ///
    /// # Errors
    ///
    /// `Body`, naming the event, where an upcaster fails: it is never skipped.
    pub(crate) fn current(&self, mut event: StoredEvent) -> Result<StoredEvent> {
        while let Some((to, upcast)) = self.upcasts.get(&event.event.event_type) {
            let data = upcast(&event.event.data).map_err(|cause| {
                Error::new(
                    ErrorKind::Body,
                    format!(
                        "event {} of stream {}, a {:?} at position {}, cannot be upcast to {to:?}",
                        event.version, event.stream, event.event.event_type, event.position
                    ),
                )
                .with_source(cause)
            })?;
            event.event.data = data;
            event.event.event_type.clone_from(to);
        }
        Ok(event)
    }

    /// [`current`](Self::current), for a page.
    pub(crate) fn current_all(&self, events: Vec<StoredEvent>) -> Result<Vec<StoredEvent>> {
        events
            .into_iter()
            .map(|event| self.current(event))
            .collect()
    }

    /// The names under which events of some types may be stored: their own and the
    /// old ones that are brought up to them. For filters, which stores judge.
    pub(crate) fn stored_names<'a>(&self, types: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let wanted: BTreeSet<&str> = types.into_iter().collect();
        let old = self.upcasts.keys().filter(|from| {
            self.last_name(from)
                .is_some_and(|last| wanted.contains(last))
        });
        let own = wanted.iter().map(|name| (*name).to_owned());
        own.chain(old.cloned()).collect()
    }

    /// Refuses data that does not read as an event of a declared type.
    pub(crate) fn check_data(&self, name: &str, data: &str) -> Result<()> {
        match self.declared.get(name) {
            Some(declared) => (declared.check)(name, data),
            None => Err(Error::new(
                ErrorKind::UnknownCollection,
                format!(
                    "the store was not told of an event type {name:?}, so nothing can tell whether the data fits it"
                ),
            )),
        }
    }
}

impl fmt::Debug for EventTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.declared.keys()).finish()
    }
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::Declaration, message)
}
