-- An edge of a stock-day is valid on its trade date alone. With that date the key can be split by month; it is also the
-- index by which a walk reads the edges of one date into a hub, which goes.
update edge set valid_from = '-infinity' where valid_from is null;
alter table edge alter column valid_from set not null;
alter table edge drop constraint edge_pkey;
alter table edge add primary key (target, type, valid_from, source);
drop index edge_target_day;

-- A day's edges are found by their source. Unique for the release before this one, which writes them by it.
create unique index edge_source on edge (source, type, target);
