-- How the completed stock-days of a symbol's calendar year looked, in columns of little-endian numbers: the days (since
-- 1970-01-01, four bytes), their log returns (eight) and 32 whole numbers of two bytes each, in ten-thousandths. Whoever
-- looks for the nearest holds all of them in memory and reads those of a later version. A year that lost its days stays,
-- without columns. Statements that write take turns, so that versions become visible in their order.
drop table stock_state;
drop table stock_state_session;
drop table stock_state_year;
create table stock_state_year (
  symbol text not null,
  year integer not null,
  digest text not null,
  version bigint generated always as identity,
  days bytea not null,
  log_returns bytea not null,
  states bytea not null,
  primary key (symbol, year)
);
alter table stock_state_year alter column days set storage external, alter column log_returns set storage external,
  alter column states set storage external;
create unique index stock_state_year_version on stock_state_year (version);
truncate stock_state_source;
