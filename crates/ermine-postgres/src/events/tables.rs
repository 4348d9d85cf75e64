//! The tables of events. Times are microseconds since 1970.

/// Adds what is missing, also to a store that an earlier version made. The sequence's
/// first value is burnt: before that its last value would look given out and is not.
pub(crate) const CREATE_MISSING: &str = r#"
CREATE SEQUENCE IF NOT EXISTS ermine_positions AS bigint MINVALUE 0 START 0 CACHE 1;
SELECT nextval('ermine_positions') FROM ermine_positions WHERE NOT is_called;
CREATE TABLE IF NOT EXISTS ermine_streams (
  stream bigserial PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('uuid', 'text')),
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  archived boolean NOT NULL DEFAULT false,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  UNIQUE (tenant, id, kind)
);
CREATE TABLE IF NOT EXISTS ermine_events (
  position bigint PRIMARY KEY,
  stream bigint NOT NULL,
  version bigint NOT NULL,
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  correlation text,
  causation text,
  headers text,
  data text NOT NULL,
  archived boolean NOT NULL DEFAULT false,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT ermine_events_id UNIQUE (id),
  UNIQUE (stream, version)
);
CREATE INDEX IF NOT EXISTS "ermine_events.type" ON ermine_events (type, position) WHERE NOT archived;
CREATE TABLE IF NOT EXISTS ermine_shards (
  shard text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL DEFAULT 0,
  epoch bigint NOT NULL DEFAULT 0,
  holder text,
  expires bigint,
  paused text,
  rebuilding bigint
);
CREATE TABLE IF NOT EXISTS ermine_parked (
  shard text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (shard, position)
);
"#;
