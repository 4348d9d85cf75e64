//! Having texts embedded, whatever the provider does (rules P8 and P9).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use ermine_core::{DynEmbeddingProvider, Error, ErrorKind, Role, Vector, embed_checked};

use super::halt::Halt;
use super::options::{Options, backoff};
use super::shards::Meter;
use super::telemetry::Count;
use crate::runtime::Runtime;

/// A text to be embedded.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The place of the provider in the runtime.
    pub(super) provider: usize,
    pub(super) hash: String,
    pub(super) text: Arc<str>,
}

/// What a provider says of a text.
#[derive(Debug, Clone)]
pub(super) enum Answered {
    /// Its vector; `None` where it cannot be represented.
    Vector(Option<Vector>),
    /// It is refused for good, for this reason.
    Rejected(String),
}

/// What was answered for the page at hand, so that no text is paid for twice.
pub(super) struct Embedder {
    runtime: Arc<Runtime>,
    options: Arc<Options>,
    meter: Arc<Meter>,
    answers: HashMap<(usize, String), Answered>,
}

impl Embedder {
    pub(super) fn new(runtime: &Arc<Runtime>, options: &Arc<Options>, meter: &Arc<Meter>) -> Self {
        Self {
            runtime: runtime.clone(),
            options: options.clone(),
            meter: meter.clone(),
            answers: HashMap::new(),
        }
    }

    pub(super) fn answer(&self, wanted: &Wanted) -> Option<&Answered> {
        self.answers.get(&(wanted.provider, wanted.hash.clone()))
    }

    fn set(&mut self, wanted: &Wanted, answered: Answered) {
        let key = (wanted.provider, wanted.hash.clone());
        self.answers.insert(key, answered);
    }

    /// Forgets the answers: what they were for is committed.
    pub(super) fn forget(&mut self) {
        self.answers.clear();
    }

    /// The texts that are not answered yet, each once, in calls that the providers'
    /// limits allow. One that no call may carry is refused here.
    pub(super) fn calls(&mut self, wanted: &[Wanted]) -> Vec<Vec<Wanted>> {
        let mut by_provider: Vec<(usize, Vec<Wanted>)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for one in wanted {
            if self.answer(one).is_some() || !seen.insert((one.provider, &one.hash)) {
                continue;
            }
            match by_provider.iter_mut().find(|(p, _)| *p == one.provider) {
                Some((_, texts)) => texts.push(one.clone()),
                None => by_provider.push((one.provider, vec![one.clone()])),
            }
        }
        let mut calls = Vec::new();
        for (place, texts) in by_provider {
            let runtime = self.runtime.clone();
            let Some(provider) = runtime.providers.get(place) else {
                continue;
            };
            let limits = provider.limits();
            let mut fitting = Vec::new();
            for one in texts {
                let tokens = provider.tokens(&one.text);
                if tokens > limits.tokens {
                    let reason = format!(
                        "the text has {tokens} tokens, and {} embeds {} at most",
                        provider.identity(),
                        limits.tokens
                    );
                    self.set(&one, Answered::Rejected(reason));
                } else {
                    fitting.push(one);
                }
            }
            let texts: Vec<&str> = fitting.iter().map(|one| &*one.text).collect();
            let mut rest = fitting.iter();
            for batch in limits.batches(&texts, |text| provider.tokens(text)) {
                calls.push(rest.by_ref().take(batch.len()).cloned().collect());
            }
        }
        calls
    }

    /// Makes one call, again after a while where it fails, and in halves where a text of
    /// it is refused, until each has its answer.
    ///
    /// # Errors
    ///
    /// `Pause` where the provider keeps failing.
    pub(super) async fn embed(&mut self, call: &[Wanted]) -> Result<(), Halt> {
        let Some(place) = call.first().map(|one| one.provider) else {
            return Ok(());
        };
        let runtime = self.runtime.clone();
        let Some(provider) = runtime.providers.get(place) else {
            return Ok(());
        };
        let mut parts = VecDeque::from([call]);
        let mut attempt = 0;
        while let Some(part) = parts.pop_front() {
            match self.ask(&**provider, part).await {
                Ok(vectors) => {
                    attempt = 0;
                    self.meter.note(None);
                    for (one, vector) in part.iter().zip(vectors) {
                        self.set(one, Answered::Vector(vector));
                    }
                }
                Err(error) if error.kind() == ErrorKind::RejectedText => match part {
                    [one] => self.set(one, Answered::Rejected(error.to_string())),
                    several => {
                        let (first, second) = several.split_at(several.len() / 2);
                        parts.push_front(second);
                        parts.push_front(first);
                    }
                },
                Err(error) => {
                    tracing::warn!(provider = %provider.identity(), attempt, error = %error, "the embedding provider failed");
                    self.meter.note(Some(error.to_string()));
                    attempt += 1;
                    if attempt >= self.options.provider_attempts {
                        return Err(Halt::Pause(error.in_context(format_args!(
                            "the embedding provider {} failed {attempt} times",
                            provider.identity()
                        ))));
                    }
                    let own = backoff(self.options.provider_backoff, attempt - 1);
                    let wait = error.retry_after().map_or(own, |asked| asked.max(own));
                    self.options.clock.sleep(wait).await;
                    parts.push_front(part);
                }
            }
        }
        Ok(())
    }

    async fn ask(
        &self,
        provider: &dyn DynEmbeddingProvider,
        part: &[Wanted],
    ) -> Result<Vec<Option<Vector>>, Error> {
        let texts: Vec<&str> = part.iter().map(|one| &*one.text).collect();
        let tokens: usize = texts.iter().map(|text| provider.tokens(text)).sum();
        self.meter.add(Count::Calls, 1);
        let vectors = embed_checked(provider, &texts, Role::Document).await?;
        // Those of a call that failed are not paid for.
        self.meter.add(Count::Texts, texts.len());
        self.meter.add(Count::Tokens, tokens);
        Ok(vectors)
    }
}
