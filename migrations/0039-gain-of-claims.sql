-- What a trade that was claimed came to after costs, in what it risked; null for claims without a trade.
alter table claim_event add column gain double precision;
