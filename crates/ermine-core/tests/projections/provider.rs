//! A provider that notes what it is asked, and its future run to the end.

use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use ermine_core::{
    BatchLimits, EmbeddingProvider, ModelIdentity, Result, Role, Vector, content_hash,
};

pub(crate) struct Noting {
    identity: ModelIdentity,
    limits: BatchLimits,
    answer: fn(&[&str]) -> Result<Vec<Option<Vector>>>,
    pub(crate) calls: Mutex<Vec<Vec<String>>>,
}

impl Noting {
    /// Answers properly: a text that begins with `?` cannot be represented.
    pub(crate) fn proper() -> Self {
        Self::answering(|texts| Ok(texts.iter().map(|text| vector_of(text)).collect()))
    }

    pub(crate) fn answering(answer: fn(&[&str]) -> Result<Vec<Option<Vector>>>) -> Self {
        Self {
            identity: ModelIdentity::new("noting", "one", 2),
            limits: BatchLimits::default(),
            answer,
            calls: Mutex::default(),
        }
    }

    pub(crate) fn with_limits(self, limits: BatchLimits) -> Self {
        Self { limits, ..self }
    }

    pub(crate) fn calls(&self) -> Vec<Vec<String>> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.calls().concat()
    }
}

pub(crate) fn vector_of(text: &str) -> Option<Vector> {
    let hash = content_hash(text);
    let part = |range| f32::from(u16::from_str_radix(&hash[range], 16).unwrap()) + 1.0;
    (!text.starts_with('?')).then(|| Vector::from([part(0..4), part(4..8)]))
}

impl EmbeddingProvider for Noting {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn limits(&self) -> BatchLimits {
        self.limits
    }

    async fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Option<Vector>>> {
        assert_eq!(role, Role::Document);
        let noted = texts.iter().map(|&text| text.to_owned()).collect();
        self.calls.lock().unwrap().push(noted);
        (self.answer)(texts)
    }
}

pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}
