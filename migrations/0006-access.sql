-- Who may ask, and what they asked.

create table access_client (
  id text primary key,
  name text not null,
  -- argon2id in the PHC format, which carries its own salt and parameters.
  secret_hash text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table access_grant (
  id text primary key,
  client_id text not null references access_client (id),
  scopes text[] not null,
  feed text not null check (feed in ('delayed', 'realtime_sip')),
  -- Null: all symbols, any agent, no limit, no end.
  symbols text[],
  agents text[],
  calls_per_minute integer check (calls_per_minute > 0),
  calls_per_day integer check (calls_per_day > 0),
  expires_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index access_grant_client on access_grant (client_id);

-- Keys that sign and verify tokens. The private half is erased when a younger key takes over.
create table access_key (
  kid text primary key,
  public_jwk json not null,
  private_jwk json,
  created_at timestamptz not null
);

-- Calls spent of the budget of a grant, by minute and by day of UTC.
create table access_usage (
  grant_id text not null,
  span text not null check (span in ('minute', 'day')),
  begins_at timestamptz not null,
  calls bigint not null,
  primary key (grant_id, span, begins_at)
);

-- One row for equal calls of one agent within a moment.
create table access_audit (
  id bigint generated always as identity primary key,
  client_id text not null,
  grant_id text,
  agent_id text not null,
  operation text not null,
  symbol text,
  status integer not null,
  calls bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index access_audit_client on access_audit (client_id, last_at);
create index access_audit_last on access_audit (last_at);
