-- The tape's manifest: which rows lie in which segment file, and what of the sources has been kept.

create table tape_segment (
  id bigint generated always as identity primary key,
  file text not null unique,
  kind text not null,
  feed text not null,
  simulated boolean not null,
  rows bigint not null,
  bytes bigint not null,
  created_at timestamptz not null default now()
);

-- One symbol's rows inside a segment, with the CRC-32 of their bytes. Intraday slices list their trade dates (days since 1970-01-01) and the row at
-- which each begins, so that one session is read without the rest.
create table tape_slice (
  symbol text not null,
  kind text not null,
  segment_id bigint not null references tape_segment (id) on delete cascade,
  body_offset bigint not null,
  checksum bigint not null,
  rows integer not null,
  first_day integer not null,
  last_day integer not null,
  days integer[] not null,
  starts integer[] not null,
  primary key (symbol, kind, segment_id)
);
create index tape_slice_segment on tape_slice (segment_id);

-- What a feed has delivered, unit by unit: a unit whose fingerprint stands here is skipped.
create table tape_unit (
  feed text not null,
  key text not null,
  fingerprint text not null,
  rows_kept bigint not null,
  facts_kept bigint not null,
  refusals json not null,
  imported_at timestamptz not null default now(),
  primary key (feed, key)
);

-- Rows of the session that is running now, of any series, until it has ended and they are sealed into a segment.
-- `columns` holds the row's values in the order of the series, without its time.
create table running_row (
  symbol text not null,
  kind text not null,
  time bigint not null,
  columns double precision[] not null,
  feed text not null,
  simulated boolean not null,
  primary key (symbol, kind, time)
);

create table corporate_action (
  symbol text not null,
  kind text not null check (kind in ('split', 'dividend')),
  ex_date date not null,
  value double precision not null,
  feed text not null,
  primary key (symbol, kind, ex_date)
);

create table company_profile (
  symbol text not null,
  known_at timestamptz not null,
  profile json not null,
  feed text not null,
  primary key (symbol, known_at)
);

-- What new data touched since the last derivation, one row for each stretch of dates by its end, so that every set of
-- data that was imported has its last session derived. Sync takes rows away once their stock-days are derived.
create table tape_touched (
  symbol text not null,
  kind text not null,
  first_day integer not null,
  last_day integer not null,
  touched_at timestamptz not null default clock_timestamp(),
  primary key (symbol, kind, last_day)
);
