-- Every scalar value of a stock-day side by side, for screens. A row is written in the transaction of the facts that it
-- repeats, and follows a catalogue of fields: what an older program wrote is read by the names that it knew.

create table screen_catalogue (
  digest text primary key,
  fields text not null,
  -- Whether every stock-day that was stored before the catalogue was first met has a row of it.
  filled boolean not null default false,
  met_at timestamptz not null default clock_timestamp()
);

create table screen_row (
  trade_date date not null,
  symbol text not null,
  as_of timestamptz not null,
  catalogue text not null,
  -- Of packed and texts.
  digest text not null,
  packed bytea not null,
  texts text not null,
  primary key (trade_date, symbol)
);
-- Doubles compress to little gain and are read by the thousand.
alter table screen_row alter column packed set storage external;
-- How many rows a date has and up to which instant they know, without touching them.
create index screen_row_as_of on screen_row (trade_date, as_of);
