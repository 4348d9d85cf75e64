//! What the commands are.

pub(crate) const TEXT: &str = "\
cargo xtask COMMAND

  test               everything the project checks: format, lints, documentation,
                     tests, examples; stops at the first failure. Fetches a
                     PostgreSQL and runs it for that time, unless
                     $ERMINE_TEST_POSTGRES names one
  postgres           a PostgreSQL with pgvector, as the tests use it: prints where
                     it is and runs until it is stopped; nothing in it is kept
  eval --data DIR [--postgres]
                     relevance, import rate and search times on a judged
                     collection in BEIR form; on PostgreSQL too, if asked, where
                     every ranking has to be the same
  bench GLOSSES      import rate, search times and memory on 100,000 documents
                     of about 1 kB, joined from the lines of a text file
  bench appends [SECONDS]
                     events appended on PostgreSQL by 1, 8 and 32 connections,
                     beside rows inserted by hand; 5 seconds each
  bench approximate GLOSSES
                     approximate search on PostgreSQL under filters, a document a
                     gloss: recall, times, and those of the planner's own choice
  bench overhead GLOSSES [DOCUMENTS]
                     searches on PostgreSQL beside SQL written by hand, a document
                     a gloss
  bench events [EVENTS [STREAMS]] [--store URL]
                     a million events in 100,000 streams, or so many, and a tenth
                     of the events: rates and memory of appending, projecting, rebuilding,
                     beside the database by itself
  mutants [PART]     mistakes made in the source of the runtime, one after the
                     other (those whose name has PART in it): each has to be
                     noticed by the facts of a rule
  soak postgres [SECONDS]
                     eight writers for a minute, or so many seconds, some of them
                     killed; then everything is recomputed
  soak events [SECONDS]
                     events on PostgreSQL: 32 connections append for a minute, or so
                     many seconds, hold transactions open and roll back; then the
                     leaders of three daemons are killed 20 times under load, and
                     the server is restarted
  soak compliance [CASES]
                     2,000 random cases, or so many, on each store and on the
                     reference
  soak history --data DIR [--store URL]
                     a real history told as events: what it comes to, in pages of
                     any size and whatever is killed
  soak daemon [SECONDS] [--daemons COUNT] [--lease MILLISECONDS] [--store URL]
                     two processes append and two run the daemon, one of which is
                     killed every two seconds; then each event was applied once
  help               this text";
