-- Which derivation a stock-day is of: a program whose blocks say something else derives the final days of an older one
-- again, without a migration. Programs that know nothing of it write the first.
alter table stock_day add column derivation integer default 1;
create index stock_day_derivation on stock_day (derivation) where final;
