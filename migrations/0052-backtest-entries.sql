-- Entries of completed runs with what every stop and target did, packed, from which the trades of each cell follow.

create table backtest_entries (
  run_id uuid not null references backtest_run (id) on delete cascade,
  symbol text not null,
  packed bytea not null,
  primary key (run_id, symbol)
);

-- Entries of the caller by symbol, as pairs of time and side; an empty object where signals find them.
alter table backtest_run add column own json not null default '{}';
