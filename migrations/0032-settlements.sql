-- Contracts know how they settle, and leave every sum then: the stock-days of symbols with chains are derived again.
insert into tape_touched (symbol, kind, first_day, last_day)
select symbol, 'chain', (min(taken_at) at time zone 'America/New_York')::date - date '1970-01-01',
  (max(taken_at) at time zone 'America/New_York')::date - date '1970-01-01'
from chain_slice group by symbol
on conflict (symbol, kind, last_day) do update set
  first_day = least(tape_touched.first_day, excluded.first_day), touched_at = clock_timestamp();
