-- Optimisation runs: what was asked, how far it has come, and what it came to. A run is carried by the process whose
-- lease has not ended; when that process dies another takes the run up. Finished symbols lie in files beside the tape.

create table backtest_run (
  id uuid primary key,
  -- The order of asking, which is also the order of carrying.
  seq bigint generated always as identity unique,
  -- The client that asked; null for callers without a token.
  owner text,
  symbols text[] not null,
  request json not null,
  -- The last session that was over for the caller when the run was asked for; no later one is looked at.
  last_session date not null,
  request_digest text not null,
  -- What lay on the tape for it when it was last taken up.
  data_version text not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  progress_pct double precision not null check (progress_pct between 0 and 100),
  error_message text,
  -- Wire JSON, in pieces: the best cells, what there is to say of all, every cell.
  results text,
  analysis text,
  grid text,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  lease_holder uuid,
  lease_until timestamptz,
  -- How often it was taken up without being given back in good order.
  attempts integer not null default 0
);
create index backtest_run_open on backtest_run (seq) where status in ('pending', 'running');
create index backtest_run_owner on backtest_run (owner, seq);
create index backtest_run_request on backtest_run (request_digest, data_version) where status = 'completed';
