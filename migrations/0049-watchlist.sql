-- Lists of stocks that somebody watches: symbols, or a screen by which a list fills itself.
create table watchlist (
  -- The client of a token; empty for callers without one.
  owner text not null,
  name text not null,
  symbols text[],
  screen jsonb,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (owner, name),
  check (symbols is null or screen is null)
);
