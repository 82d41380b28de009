-- Which option chains lie in which segment file: one row for each snapshot, whose contracts are one record batch. A
-- snapshot that is told again replaces the row. Prices of the underlying are dollars; null: the source gave none.
create table chain_slice (
  symbol text not null,
  taken_at timestamptz not null,
  segment_id bigint not null references tape_segment (id) on delete cascade,
  body_offset bigint not null,
  checksum bigint not null,
  rows integer not null,
  underlying_price double precision,
  style text not null check (style in ('american', 'european')),
  multiplier double precision not null,
  feed text not null,
  simulated boolean not null,
  primary key (symbol, taken_at)
);
create index chain_slice_segment on chain_slice (segment_id);
