use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use ermine_core::{
    BatchLimits, EmbeddingProvider, ErrorKind, ModelIdentity, Result, Role, Vector, embed_checked,
};

/// What the model returns for so many texts.
type Answer = fn(usize) -> Vec<Option<Vector>>;

/// Answers from a script, and records what it was asked.
struct Scripted {
    identity: ModelIdentity,
    limits: BatchLimits,
    answer: Answer,
    calls: Mutex<Vec<usize>>,
}

impl EmbeddingProvider for Scripted {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
    fn limits(&self) -> BatchLimits {
        self.limits
    }
    async fn embed(&self, texts: &[&str], _: Role) -> Result<Vec<Option<Vector>>> {
        self.calls.lock().unwrap().push(texts.len());
        Ok((self.answer)(texts.len()))
    }
}

fn scripted(answer: Answer) -> Scripted {
    Scripted {
        identity: ModelIdentity::new("scripted", "one", 2),
        limits: BatchLimits {
            texts: 2,
            bytes: 10,
            ..BatchLimits::default()
        },
        answer,
        calls: Mutex::default(),
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

#[test]
fn texts_go_in_batches_that_fit() {
    let provider = scripted(|n| vec![Some(Vector::from([1.0, 0.0])); n]);
    let vectors = now(embed_checked(
        &provider,
        &["aaaa", "bbbb", "cccc", "a text too long for any batch", "d"],
        Role::Document,
    ));
    assert_eq!(vectors.unwrap().len(), 5);
    assert_eq!(*provider.calls.lock().unwrap(), [2, 1, 1, 1]);
}

#[test]
fn no_text_makes_no_call() {
    let provider = scripted(|_| vec![]);
    assert!(
        now(embed_checked(&provider, &[], Role::Query))
            .unwrap()
            .is_empty()
    );
    assert!(provider.calls.lock().unwrap().is_empty());
}

#[test]
fn an_answer_that_breaks_the_contract_is_an_error() {
    let broken: [Answer; 4] = [
        |n| vec![None; n - 1],
        |n| vec![None; n + 1],
        |n| vec![Some(Vector::from([1.0])); n],
        |n| vec![Some(Vector::from([1.0, f32::NAN])); n],
    ];
    for answer in broken {
        let result = now(embed_checked(
            &scripted(answer),
            &["cat", "dog"],
            Role::Document,
        ));
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Provider);
    }
}

#[test]
fn texts_go_in_batches_of_tokens_and_one_of_too_many_is_refused_without_a_call() {
    let mut provider = scripted(|n| vec![Some(Vector::from([1.0, 0.0])); n]);
    provider.limits = BatchLimits {
        tokens: 2,
        ..BatchLimits::default()
    };
    // A token is four bytes unless the provider says otherwise.
    let vectors = now(embed_checked(
        &provider,
        &["aaaa", "bbbb", "cccccccc", "d"],
        Role::Document,
    ));
    assert_eq!(vectors.unwrap().len(), 4);
    assert_eq!(*provider.calls.lock().unwrap(), [2, 1, 1]);
    let refused = now(embed_checked(
        &provider,
        &["a", "123456789"],
        Role::Document,
    ));
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::RejectedText);
    assert_eq!(provider.calls.lock().unwrap().len(), 3);
}
