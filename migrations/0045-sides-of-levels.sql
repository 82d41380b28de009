-- The side from which price comes to a level follows from closes alone, and a level that moves is not touched by its first bar.
-- Every stored stock-day is derived again, by the next pass or when it is asked for.
insert into tape_touched (symbol, kind, first_day, last_day)
select symbol, 'bars-1d', min(trade_date) - date '1970-01-01', min(trade_date) - date '1970-01-01'
from stock_day group by symbol
on conflict (symbol, kind, last_day) do update set
  first_day = least(tape_touched.first_day, excluded.first_day), touched_at = clock_timestamp();
