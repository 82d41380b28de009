-- Chains and series of an index go by the symbol of its bars, `^SPX`, however the roots of its options are written. Rows
-- that were kept under such a root move to the index, and their stretch of dates is derived again.
with roots (symbol) as (
  values ('SPX'), ('NDX'), ('RUT'), ('VIX'), ('XSP'), ('DJX'), ('NQX'), ('OEX'), ('XEO'), ('XND'), ('MRUT'), ('CBTX')
), chains as (
  update chain_slice c set symbol = '^' || c.symbol from roots
  where c.symbol = roots.symbol
    and not exists (select from chain_slice o where o.symbol = '^' || c.symbol and o.taken_at = c.taken_at)
  returning c.symbol, 'chain' as kind, (c.taken_at at time zone 'America/New_York')::date - date '1970-01-01' as first_day,
    (c.taken_at at time zone 'America/New_York')::date - date '1970-01-01' as last_day
), series as (
  update tape_slice s set symbol = '^' || s.symbol from roots
  where s.symbol = roots.symbol
  returning s.symbol, s.kind, s.first_day, s.last_day
)
insert into tape_touched (symbol, kind, first_day, last_day)
select symbol, kind, min(first_day), last_day
from (select * from chains union all select * from series) moved
group by symbol, kind, last_day
on conflict (symbol, kind, last_day) do update set
  first_day = least(tape_touched.first_day, excluded.first_day), touched_at = clock_timestamp();
