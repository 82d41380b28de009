-- A daily bar that is summed from minutes follows them: which segments of bars have not been summed yet. Sums that an
-- older program left behind a correction, and days that began late, follow with the first pass.
alter table tape_segment add column summed boolean not null default false;
create index tape_segment_unsummed on tape_segment (id)
  where not summed and kind like 'bars-%' and feed <> 'from-intraday';
-- Rows in which nothing traded are no bars any more: files that are imported again are read again.
update tape_unit set fingerprint = fingerprint || ' before 0040'
where feed in (select feed from tape_segment where kind like 'bars-%' and not simulated);
-- A stock-day says what is seen of a session that its bars hold in part. Every stored stock-day is derived again, by the
-- next pass or when it is asked for.
insert into tape_touched (symbol, kind, first_day, last_day)
select symbol, 'bars-1d', min(trade_date) - date '1970-01-01', min(trade_date) - date '1970-01-01'
from stock_day group by symbol
on conflict (symbol, kind, last_day) do update set
  first_day = least(tape_touched.first_day, excluded.first_day), touched_at = clock_timestamp();
