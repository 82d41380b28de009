-- A trade date ends when the pre-market of the next session begins: until a stock-day has been derived as of then, a
-- pass derives it again.
alter table stock_day add column final boolean not null default false;
create index stock_day_not_final on stock_day (trade_date) where not final;
