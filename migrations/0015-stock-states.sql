-- What each completed stock-day looked like, as numbers of about -1 to 1 in which near means alike, and its log return on
-- the day before. The index takes every row as it comes: building it over rows that are there holds the embedded store for
-- 8 s per 100,000 of them. Eight links a row instead of sixteen insert three times as fast and find as well at this width.
create table stock_state (
  symbol text not null,
  trade_date date not null,
  log_return double precision not null,
  state vector(32) not null,
  primary key (symbol, trade_date)
);
-- A histogram of vectors helps no plan.
alter table stock_state alter column state set statistics 0;
create index stock_state_date on stock_state (trade_date);
create index stock_state_near on stock_state using hnsw (state vector_l2_ops) with (m = 8, ef_construction = 32);

-- How many stocks have a state on a session.
create table stock_state_session (
  trade_date date primary key,
  states integer not null
);

-- The states of a symbol in a calendar year up to a date, by the digest of what they say: a pass writes where it differs.
create table stock_state_year (
  symbol text not null,
  year integer not null,
  through date not null,
  digest text not null,
  primary key (symbol, year)
);

-- What the states of a symbol were derived from, by name; a pass looks at symbols of which it is another one now.
create table stock_state_source (
  symbol text primary key,
  source text not null
);
