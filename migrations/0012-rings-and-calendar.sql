-- A sector, a theme or a session is tied to every stock-day that there ever was; only those of one date are walked to, in
-- an order that is always the same.
create index edge_target_day on edge (target, type, valid_from, source);
drop index edge_target;

-- Whose results are expected on a date, and whose were told of on one, over the whole market.
create index reported_fact_expected on reported_fact ((value ->> 'date')) where kind = 'earnings_date';
create index reported_fact_told on reported_fact ((value ->> 'date')) where kind = 'earnings_report';

-- Halts of the last days, over the whole market.
create index reported_fact_halt on reported_fact (known_at) where kind = 'halt';
