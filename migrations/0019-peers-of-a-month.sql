-- Who is whose peer in a calendar month, from the sessions before it. `packed` is the topology as one run of bytes; those of
-- the newest months and those made last keep it. A month before which too few stocks had a history has no stocks.
drop table peer_topology;
create table peer_topology (
  month date primary key,
  window_to date not null,
  stocks integer not null,
  edges integer not null,
  digest text not null,
  packed bytea,
  built_at timestamptz not null default clock_timestamp(),
  packed_at timestamptz not null default clock_timestamp()
);
alter table peer_topology alter column packed set storage external;

-- Completed sessions whose returns are measured against the peers of their month. Who measures one claims it first and
-- writes only while no later one has; until then `changed_at` is null, and while `pending` what is there may be behind.
-- While `unsettled`, stock-days of the session may be
-- stored that were derived from other divergences.
create table peer_session (
  trade_date date primary key,
  claim uuid not null,
  claimed_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz,
  pending boolean not null default true,
  unsettled boolean not null default false
);
create index peer_session_unsettled on peer_session (trade_date) where unsettled;

-- Divergences that were measured against a topology of every single session are measured again by the next pass.
truncate peer_day;
alter table peer_day drop column derived_at;
