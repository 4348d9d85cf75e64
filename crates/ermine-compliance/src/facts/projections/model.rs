//! A provider that does as it is told, and writes down what it is asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ermine_core::{
    BatchLimits, BoxFuture, EmbeddingProvider, Error, ErrorKind, ModelIdentity, Result, Role,
    Timestamp, Vector,
};

use super::kit::Fast;

/// What a call does instead of answering.
#[derive(Debug, Clone)]
pub(in crate::facts) enum Trouble {
    /// Nothing: it answers.
    None,
    /// It fails.
    Fails,
    /// It is asked too often, and says when to ask again.
    RetryAfter(Duration),
    /// It answers with a vector too few.
    TooFew,
    /// It answers with a vector of three numbers.
    WrongLength,
    /// It answers with a NaN.
    Nan,
    /// It panics.
    Panics,
}

/// Embeds a text as (its number of characters, 1). It refuses what holds `forbidden`,
/// and cannot represent `???`. A clone is the same one.
#[derive(Clone)]
pub(in crate::facts) struct Model {
    identity: ModelIdentity,
    limits: BatchLimits,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    calls: Vec<(Timestamp, Vec<String>)>,
    script: VecDeque<Trouble>,
    meanwhile: Option<BoxFuture<'static, ()>>,
}

impl Model {
    pub(in crate::facts) fn new() -> Self {
        Self {
            identity: ModelIdentity::new("model", "length-1", 2),
            limits: BatchLimits::default(),
            inner: Arc::default(),
        }
    }

    pub(in crate::facts) fn with_limits(mut self, limits: BatchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// What the next calls do.
    pub(in crate::facts) fn script(&self, script: impl IntoIterator<Item = Trouble>) {
        self.lock().script.extend(script);
    }

    /// Forgets what was scripted for calls that did not come.
    pub(in crate::facts) fn unscript(&self) {
        self.lock().script.clear();
    }

    /// What happens elsewhere while the next call is answered.
    pub(in crate::facts) fn meanwhile(&self, happens: impl Future<Output = ()> + Send + 'static) {
        self.lock().meanwhile = Some(Box::pin(happens));
    }

    pub(in crate::facts) fn vector(text: &str) -> Vector {
        Vector::from([text.chars().count() as f32, 1.0])
    }

    /// The texts of each call since the last look, failed ones included.
    pub(in crate::facts) fn calls(&self) -> Vec<Vec<String>> {
        self.timed_calls()
            .into_iter()
            .map(|(_, texts)| texts)
            .collect()
    }

    /// The same, and when.
    pub(in crate::facts) fn timed_calls(&self) -> Vec<(Timestamp, Vec<String>)> {
        std::mem::take(&mut self.lock().calls)
    }

    /// All texts of all calls since the last look.
    pub(in crate::facts) fn texts(&self) -> Vec<String> {
        self.calls().into_iter().flatten().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EmbeddingProvider for Model {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn limits(&self) -> BatchLimits {
        self.limits
    }

    /// A token is a character.
    fn tokens(&self, text: &str) -> usize {
        text.chars().count()
    }

    async fn embed(&self, texts: &[&str], _: Role) -> Result<Vec<Option<Vector>>> {
        let (trouble, meanwhile) = {
            let mut inner = self.lock();
            let texts = texts.iter().map(|text| (*text).to_owned());
            let call = (ermine_store::Clock::now(&Fast), texts.collect());
            inner.calls.push(call);
            let trouble = inner.script.pop_front().unwrap_or(Trouble::None);
            (trouble, inner.meanwhile.take())
        };
        if let Some(happens) = meanwhile {
            happens.await;
        }
        let failed = |message| Err(Error::new(ErrorKind::Provider, message));
        let mut vectors: Vec<_> = texts
            .iter()
            .map(|text| (*text != "???").then(|| Self::vector(text)))
            .collect();
        match trouble {
            Trouble::None => {}
            Trouble::Fails => return failed("the model is out"),
            Trouble::RetryAfter(wait) => {
                return failed("too many calls").map_err(|error| error.with_retry_after(wait));
            }
            Trouble::TooFew => drop(vectors.pop()),
            Trouble::WrongLength => vectors[0] = Some(Vector::from([1.0, 2.0, 3.0])),
            Trouble::Nan => vectors[0] = Some(Vector::from([f32::NAN, 1.0])),
            Trouble::Panics => panic!("the model is broken"),
        }
        if texts.iter().any(|text| text.contains("forbidden")) {
            return Err(Error::new(
                ErrorKind::RejectedText,
                "the model does not speak of that",
            ));
        }
        Ok(vectors)
    }
}
