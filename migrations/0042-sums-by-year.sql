-- The sums of a whole market, a year of a kind in one row: a record reads all dates of its kind. One line a trade date:
-- date, formula, regime, sums, parted by tabs. Written with the rows that it is made of.
create table claim_year (
  kind text not null,
  simulated boolean not null,
  year integer not null,
  days text not null,
  primary key (kind, simulated, year)
);
insert into claim_year (kind, simulated, year, days)
select kind, simulated, extract(year from trade_date)::integer,
  string_agg(concat_ws(E'\t', trade_date, formula, coalesce(regime, ''), sums), E'\n' order by trade_date)
from claim_day where symbol = '*' group by 1, 2, 3;

-- What follows from the sums at a close, as the last pass found it; of another version it is out of date. Where every
-- claim had ended it holds at later ones too. What changes how figures follow from sums empties this table.
create table claim_figures (
  kind text not null,
  simulated boolean not null,
  formula integer not null,
  as_of timestamptz not null,
  ended boolean not null,
  version bigint not null,
  figures text not null,
  primary key (kind, simulated)
);
