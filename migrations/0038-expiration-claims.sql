-- What a claim rests on, so that later prices are judged by it without deriving it again: pricing a chain takes longer.
alter table claim_day add column terms text;
-- The last chains of a session, of all symbols.
create index chain_slice_taken on chain_slice (taken_at);
