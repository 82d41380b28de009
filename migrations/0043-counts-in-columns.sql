-- Beside what follows from the sums at the newest close the sums of all dates themselves, in columns by key: what follows at
-- a past close is counted from this one row. How figures follow from sums has changed, and levels have sums of other keys.
delete from claim_figures;
alter table claim_figures add column counts text not null;
