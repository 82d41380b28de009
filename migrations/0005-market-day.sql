-- The market as a whole on a completed session, as JSON text, against which its stock-days were derived. While
-- `unsettled`, stock-days of the date may be stored that were derived against another snapshot.
create table market_day (
  trade_date date primary key,
  digest text not null,
  snapshot text not null,
  unsettled boolean not null,
  derived_at timestamptz not null default clock_timestamp()
);
create index market_day_unsettled on market_day (trade_date) where unsettled;
