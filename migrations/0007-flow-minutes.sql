-- The minutes of trades carry the side of every print from now on, under the name `flow-minutes`; files of the older
-- columns are left to the next start, which removes what no row names. Their sources are read again because the way of
-- reading them has changed.
delete from running_row where kind = 'trade-minutes';
delete from tape_slice where kind = 'trade-minutes';
delete from tape_segment where kind = 'trade-minutes';
delete from tape_touched where kind = 'trade-minutes';
