-- What somebody is to be told of, what became of it, and how it is delivered.
create table alert_rule (
  id uuid primary key,
  -- The client of a token; empty for callers without one.
  owner text not null,
  kind text not null,
  parameters json not null,
  -- Null for every stock of the market.
  symbols text[],
  simulated boolean not null,
  hours text not null,
  repeat text not null,
  -- Receivers by id; null for all of the owner.
  receivers uuid[],
  paused boolean not null default false,
  -- The grant that it was made with, and the age of the data that its caller saw then.
  grant_id text,
  delay_ms bigint not null,
  -- Moments up to here fire nothing: they were known when the rule was written.
  since timestamptz not null,
  -- The newest sentences about it, oldest first: {at, says}.
  notes json not null default '[]',
  created_at timestamptz not null,
  changed_at timestamptz not null default clock_timestamp()
);
create index alert_rule_owner on alert_rule (owner, created_at);

-- What a rule remembers of a stock, where that has changed; of others it is as of alert_judged.
create table alert_state (
  rule uuid not null references alert_rule (id) on delete cascade,
  symbol text not null,
  at timestamptz not null,
  trade_date date not null,
  state json,
  today integer not null,
  ever integer not null,
  primary key (rule, symbol)
);

-- Up to which minute the rules of a market are judged.
create table alert_judged (
  simulated boolean primary key,
  at timestamptz not null
);

create table alert_firing (
  trade_date date not null,
  -- Follows from rule, symbol, trade date and minute.
  id text not null,
  rule uuid not null,
  owner text not null,
  symbol text not null,
  at timestamptz not null,
  price double precision,
  says text not null,
  -- The rule as it read then.
  sentence text not null,
  primary key (trade_date, id)
);
create index alert_firing_owner on alert_firing (owner, at desc);
create index alert_firing_rule on alert_firing (rule, at desc);

create table alert_receiver (
  id uuid primary key,
  owner text not null,
  channel text not null,
  -- Its address and keys.
  target json not null,
  -- Hours of a day in which nothing is delivered, {from, to, time_zone}; null for none.
  quiet json,
  -- Deliveries of a day of UTC.
  per_day integer not null,
  failures integer not null default 0,
  -- Why nothing is sent any more; null while it is.
  disabled text,
  created_at timestamptz not null
);
create index alert_receiver_owner on alert_receiver (owner);

create table alert_outbox (
  trade_date date not null,
  firing text not null,
  receiver uuid not null references alert_receiver (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'held')),
  -- Not before; null once it has ended.
  next_at timestamptz,
  -- When it was delivered.
  sent_at timestamptz,
  -- What was tried, oldest first: {at, says}.
  log json not null default '[]',
  primary key (trade_date, firing, receiver)
);
create index alert_outbox_next on alert_outbox (next_at) where next_at is not null;
create index alert_outbox_receiver on alert_outbox (receiver, sent_at);
