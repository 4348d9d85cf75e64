//! How many texts a second the bundled model embeds.
//!
//! `cargo run --release -p ermine-embed --example embedding_rate`

use std::time::Instant;

use ermine_embed::StaticModel;

const TEXT: &str = "The pool hands out a connection, waits at most the configured time for one to be \
    returned, and reports a timeout that names the longest holder. ";

fn main() {
    let started = Instant::now();
    let model = StaticModel::bundled();
    println!("loaded {model:?} in {:.1?}", started.elapsed());
    for (name, repeats) in [
        ("a sentence", 1),
        ("a passage of about 1,500 characters", 10),
    ] {
        let text = TEXT.repeat(repeats);
        let rounds = 20_000 / repeats;
        let started = Instant::now();
        let embedded = (0..rounds).filter(|_| model.embed(&text).is_some()).count();
        let rate = embedded as f64 / started.elapsed().as_secs_f64();
        println!("{name}: {rate:.0} texts/second, one thread");
    }
}
