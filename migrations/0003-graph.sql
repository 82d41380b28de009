-- The graph: nodes, typed edges with validity, and facts as blocks on the stock-day.

create table node (
  id uuid primary key,
  label text not null,
  key text not null,
  props json not null,
  valid_from date,
  valid_to date,
  unique (label, key)
);

create table edge (
  source uuid not null,
  type text not null,
  target uuid not null,
  props json,
  valid_from date,
  valid_to date,
  primary key (source, type, target)
);
create index edge_target on edge (target, type);

-- What is known of a stock on a trade date. `core` holds every field that is always served as one piece of JSON,
-- the other blocks are those that are served on request. Values are wire values: nothing translates them.
create table fact (
  symbol text not null,
  trade_date date not null,
  block text not null,
  value text not null,
  primary key (symbol, trade_date, block)
);
-- Several kilobytes compress to little gain and are read far more often than written.
alter table fact alter column value set storage external;

-- One row for each derived stock-day: what it was derived from and what it came to.
create table stock_day (
  symbol text not null,
  trade_date date not null,
  as_of timestamptz not null,
  digest text not null,
  derived_at timestamptz not null default clock_timestamp(),
  primary key (symbol, trade_date)
);
create index stock_day_date on stock_day (trade_date);
