-- What several processes of one installation share besides its data.

-- The installation itself, so that a bus or a bucket that serves several does not mix them up, nor one tidies up what
-- another has written. With `bus` announcements
-- go through the table `announcement` to a message bus; without it PostgreSQL itself notifies.
create table installation (
  id uuid primary key default gen_random_uuid(),
  bus boolean not null default false,
  created_at timestamptz not null default now(),
  orphans_removed_at timestamptz,
  -- Owns the sequence of plans, so that a backup has it.
  plans bigint,
  only_one boolean not null default true unique check (only_one)
);

-- Who does a piece of work that must be done once, and until when. The token grows with every holder: a statement of an
-- earlier one is refused by it.
create table lease (
  name text primary key,
  holder text not null,
  token bigint not null default 1,
  expires_at timestamptz not null default '-infinity',
  note text
);

-- Announcements of committed transactions that the bus has not acknowledged yet.
create table announcement (
  id bigint generated always as identity primary key,
  channel text not null,
  payload text not null,
  written_at timestamptz not null default clock_timestamp()
);

create function announce(on_channel text, with_payload text) returns void language plpgsql as $$
begin
  if (select bus from installation) then
    insert into announcement (channel, payload) values (on_channel, with_payload);
  else
    perform pg_notify(on_channel, with_payload);
  end if;
end $$;

-- The order in which derivations were planned: a worker that was stopped for a while must not overwrite what a later
-- plan has derived.
create sequence derivation_plan owned by installation.plans;
alter table stock_day add column plan bigint not null default 0;

create function refuse_overtaken(symbols text[], dates date[], own_plan bigint) returns void language plpgsql as $$
begin
  perform from unnest(symbols, dates) as own (symbol, trade_date)
    join stock_day d on d.symbol = own.symbol and d.trade_date = own.trade_date
    where d.plan > own_plan for update of d;
  if found then
    raise exception 'a later plan has derived these days' using errcode = 'TG001';
  end if;
end $$;

-- Outcomes of symbols of a run that other processes have walked, until the run has ended.
create table backtest_slice (
  run_id uuid not null references backtest_run (id) on delete cascade,
  symbol text not null,
  data_version text not null,
  outcome bytea not null,
  primary key (run_id, symbol)
);
alter table backtest_slice alter column outcome set storage external;
