-- Real and simulated stocks are two markets. Each symbol belongs to one of them, and what spans stocks is kept by market.
create table symbol_market (
  symbol text primary key,
  simulated boolean not null
);
insert into symbol_market (symbol, simulated)
select symbol, bool_or(simulated) from (
  select s.symbol, g.simulated from tape_slice s join tape_segment g on g.id = s.segment_id
  union all select symbol, simulated from running_row
  union all select symbol, simulated from chain_slice
  union all select symbol, feed = 'simulated' from corporate_action
  union all select symbol, feed = 'simulated' from reported_fact
) as known group by symbol;

alter table market_day add column simulated boolean not null default false;
alter table market_day drop constraint market_day_pkey;
alter table running_minute add column simulated boolean not null default false;
alter table running_minute drop constraint running_minute_pkey;
alter table peer_topology add column simulated boolean not null default false;
alter table peer_topology drop constraint peer_topology_pkey;
alter table claim_day drop constraint claim_day_pkey;
alter table claim_touched add column simulated boolean not null default false;
alter table claim_touched drop constraint claim_touched_pkey;

-- Of one market alone, all is its own.
update market_day set simulated = true where (select bool_and(simulated) from symbol_market);
update running_minute set simulated = true where (select bool_and(simulated) from symbol_market);
update peer_topology set simulated = true where (select bool_and(simulated) from symbol_market);
update claim_touched set simulated = true where (select bool_and(simulated) from symbol_market);

-- Of both, nothing says which part of it was whose: it is derived again, for each.
create temporary table both_markets as
  select from symbol_market having bool_or(simulated) and not bool_and(simulated);
insert into claim_touched (simulated, kind, first_day, last_day)
select m.simulated, t.kind, min(d.trade_date) - date '1970-01-01', max(d.trade_date) - date '1970-01-01'
from both_markets, (values (false), (true)) as m (simulated), (values ('bars-1d'), ('bars-1m'), ('chain')) as t (kind),
  claim_day d
group by m.simulated, t.kind
on conflict do nothing;
insert into claim_day (kind, symbol, trade_date, formula, simulated, regime, digest, sums, terms)
select kind, symbol, trade_date, formula, not simulated, regime, '', sums, null from claim_day
where symbol = '*' and exists (select from both_markets);
delete from market_day where exists (select from both_markets);
update running_minute set market = null where exists (select from both_markets);
delete from peer_topology where exists (select from both_markets);
delete from peer_day where exists (select from both_markets);
delete from peer_session where exists (select from both_markets);
delete from edge where type = 'PEER_OF' and exists (select from both_markets);
insert into tape_touched (symbol, kind, first_day, last_day)
select symbol, 'bars-1d', min(trade_date) - date '1970-01-01', min(trade_date) - date '1970-01-01'
from stock_day where exists (select from both_markets) group by symbol
on conflict (symbol, kind, last_day) do update set
  first_day = least(tape_touched.first_day, excluded.first_day), touched_at = clock_timestamp();
drop table both_markets;

alter table market_day add primary key (simulated, trade_date);
alter table running_minute add primary key (simulated, trade_date, at);
alter table peer_topology add primary key (simulated, month);
alter table claim_day add primary key (kind, symbol, trade_date, simulated);
alter table claim_touched add primary key (simulated, kind, last_day);
-- The operator has left the simulated market: no start builds it again.
alter table installation add column demo_left_at timestamptz;
