//! A provider that writes down what it is asked.

use std::sync::{Arc, Mutex, PoisonError};

use ermine_core::{EmbeddingProvider, Error, ErrorKind, ModelIdentity, Result, Role, Vector};

/// Embeds a text as (its number of characters, 1), notes every call, and can
/// neither represent `???` nor bear the word `broken`. A clone shares the notes.
#[derive(Clone)]
pub(super) struct Scribe {
    identity: ModelIdentity,
    calls: Arc<Mutex<Vec<Call>>>,
}

/// What one call asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) role: Role,
    pub(super) texts: Vec<String>,
}

impl Scribe {
    pub(super) fn new() -> Self {
        Self::called("length-1")
    }

    /// A provider of another identity, with the same vectors.
    pub(super) fn called(model: &str) -> Self {
        Self {
            identity: ModelIdentity::new("scribe", model, 2),
            calls: Arc::default(),
        }
    }

    pub(super) fn vector(text: &str) -> Vector {
        Vector::from([text.chars().count() as f32, 1.0])
    }

    /// The calls since the last look.
    pub(super) fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The texts of the calls since the last look, which were all for documents.
    #[track_caller]
    pub(super) fn stored(&self) -> Vec<String> {
        self.texts(Role::Document)
    }

    /// The texts of the calls since the last look, which were all for queries.
    #[track_caller]
    pub(super) fn asked(&self) -> Vec<String> {
        self.texts(Role::Query)
    }

    #[track_caller]
    fn texts(&self, role: Role) -> Vec<String> {
        let calls = self.calls();
        assert!(calls.iter().all(|call| call.role == role), "{calls:?}");
        calls.into_iter().flat_map(|call| call.texts).collect()
    }
}

impl EmbeddingProvider for Scribe {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Option<Vector>>> {
        let texts = texts.iter().map(|text| (*text).to_owned());
        let call = Call {
            role,
            texts: texts.collect(),
        };
        let answer = call
            .texts
            .iter()
            .map(|text| match text.as_str() {
                "???" => Ok(None),
                text if text.contains("broken") => Err(Error::new(
                    ErrorKind::Provider,
                    "the scribe's pen is broken",
                )),
                text => Ok(Some(Self::vector(text))),
            })
            .collect();
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(call);
        answer
    }
}
