-- Who was whose peer on a trade date, from the sessions before it. `packed` is the topology as one run of bytes; only the
-- newest keep it, since what older ones came to stands in `peer_day`. A date of which too few stocks had a history has no
-- stocks. While `unsettled`, stock-days of the date may be stored that were derived from other divergences.
create table peer_topology (
  trade_date date primary key,
  stocks integer not null,
  edges integer not null,
  digest text not null,
  packed bytea,
  unsettled boolean not null,
  built_at timestamptz not null default clock_timestamp()
);
alter table peer_topology alter column packed set storage external;
create index peer_topology_unsettled on peer_topology (trade_date) where unsettled;

-- The divergence of a stock from its peers on a completed session, as JSON text; null where it had one and has none now.
create table peer_day (
  trade_date date not null,
  symbol text not null,
  value text,
  derived_at timestamptz not null default clock_timestamp(),
  primary key (trade_date, symbol)
);
