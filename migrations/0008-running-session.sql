-- The session that runs, minute by minute: a row says that all that became final by `at` is on the tape, so that a
-- restart goes on from the newest. `market` is the market as a whole at that instant as JSON text; null until it is
-- derived, and again once a late row has moved it. Rows go when their session is sealed.
create table running_minute (
  trade_date date not null,
  at timestamptz not null,
  market text,
  primary key (trade_date, at)
);
