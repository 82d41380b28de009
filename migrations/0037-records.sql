-- What became of what was claimed: of each claim that met its condition when, and how it ended. The sums of a symbol and
-- trade date beside them, and of the symbol `*` those of the whole market, from which records follow; their version grows
-- with every change. A symbol-day that is derived again with the same content stays as it is.
create table claim_event (
  kind text not null,
  symbol text not null,
  trade_date date not null,
  key text not null,
  claim text not null,
  place smallint not null,
  begun_at timestamptz not null,
  decided_at timestamptz,
  side smallint not null,
  price double precision,
  outcome text,
  gone boolean not null,
  ambiguous boolean not null,
  chance double precision,
  primary key (kind, symbol, trade_date, place)
);
create index claim_event_newest on claim_event (kind, key, begun_at desc, symbol, place);

create table claim_day (
  kind text not null,
  symbol text not null,
  trade_date date not null,
  formula integer not null,
  simulated boolean not null,
  regime text,
  digest text not null,
  version bigint generated always as identity,
  sums text not null,
  primary key (kind, symbol, trade_date)
);
create unique index claim_day_version on claim_day (version);

-- Ranges of dates with new bars that no record has read: days since 1970-01-01, by the kind of what changed.
create table claim_touched (
  kind text not null,
  first_day integer not null,
  last_day integer not null,
  touched_at timestamptz not null default clock_timestamp(),
  primary key (kind, last_day)
);
