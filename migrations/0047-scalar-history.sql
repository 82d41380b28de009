-- Every single value of past stock-days as columns, derived in the background for histories. One row says of which days of a
-- quarter the columns of a symbol are, the others hold them by block. Screens do not read them.
create table scalar_history (
  symbol text not null,
  -- Its first day.
  quarter date not null,
  derivation integer not null,
  catalogue text not null,
  -- Days since 1970-01-01, ascending; the columns may have more behind them, which no longer count.
  days integer[] not null,
  -- A sum of the digest of the market that each day was derived against.
  markets integer[] not null,
  -- Up to this day those that are missing have no bar.
  through integer not null,
  primary key (symbol, quarter)
);
create table scalar_history_part (
  symbol text not null,
  quarter date not null,
  part text not null,
  packed bytea not null,
  primary key (symbol, quarter, part)
);
alter table scalar_history_part alter column packed set storage external;

-- While a dirty range waits, its days are not read; with it go the columns from its first day on.
create sequence history_trim;
select setval('history_trim', 1);
create function trim_histories() returns trigger language plpgsql as $$
begin
  if not exists (select from cleared) then return null; end if;
  perform pg_advisory_xact_lock(7461726174);
  perform nextval('history_trim');
  update scalar_history h set
    days = h.days[1:kept.count], markets = h.markets[1:kept.count], through = kept.first_day - 1
  from (select symbol, min(first_day) as first_day from cleared group by symbol) c
  join scalar_history own on own.symbol = c.symbol and own.through >= c.first_day
  cross join lateral (
    select c.first_day, count(*)::integer as count from unnest(own.days) as day where day < c.first_day) kept
  where h.symbol = own.symbol and h.quarter = own.quarter;
  return null;
end $$;
create trigger trim_histories after delete on tape_touched
  referencing old table as cleared for each statement execute function trim_histories();

-- For a writer: fails when ranges were cleared since `history_trim` had this value, and holds off those that would be.
create function refuse_trimmed(known bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7461726174);
  if known <> (select last_value from history_trim) then
    raise exception 'data changed meanwhile' using errcode = 'TG002';
  end if;
end $$;
