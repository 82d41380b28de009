import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openApi } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { marketQuestions, type Question, stockQuestions } from '../wire/questions.ts';
import type { Place } from './fault-scenarios.ts';
import { openInlinePool } from './inline-pool.ts';

/** What a store holds, by table; without instants of the machine's clock and identifiers that are drawn. */
const READINGS: Readonly<Record<string, string>> = {
  schema_migration: 'select number, name, checksum from schema_migration',
  tape_unit: 'select feed, key, fingerprint, rows_kept, facts_kept, refusals::text from tape_unit',
  tape_slice:
    'select symbol, s.kind, feed, s.rows, first_day, last_day, checksum from tape_slice s join tape_segment g on g.id = s.segment_id',
  chain_slice: 'select symbol, taken_at, rows, checksum, feed from chain_slice',
  symbol_market: 'select symbol, simulated from symbol_market',
  running_row: 'select symbol, kind, time, columns from running_row',
  running_minute: 'select trade_date, at, md5(market) from running_minute',
  reported_fact: 'select symbol, kind, key, known_at, value::text, feed from reported_fact',
  corporate_action: 'select symbol, kind, ex_date, value, feed from corporate_action',
  tape_touched: 'select symbol, kind, first_day, last_day from tape_touched',
  stock_day: 'select symbol, trade_date, as_of, digest, final from stock_day',
  fact: 'select symbol, trade_date, block, md5(value) from fact',
  screen_row: 'select symbol, trade_date, as_of, catalogue, digest from screen_row',
  screen_catalogue: 'select digest, filled from screen_catalogue',
  node: 'select id, label, key, props::text, valid_from, valid_to from node',
  edge: 'select source, type, target, props::text, valid_from, valid_to from edge',
  scalar_history: 'select symbol, quarter, days, markets, through from scalar_history',
  scalar_history_part: 'select symbol, quarter, part, md5(packed) from scalar_history_part',
  market_day: 'select trade_date, digest, unsettled from market_day',
  peer_topology:
    'select month, window_to, stocks, edges, digest, packed is null as packed from peer_topology',
  peer_session: 'select trade_date, pending, unsettled from peer_session',
  peer_day: 'select trade_date, symbol, value from peer_day',
  stock_state_year: 'select symbol, year, digest, md5(days), md5(states) from stock_state_year',
  // The source names segments by numbers, of which a server that was killed leaves some out.
  stock_state_source: 'select symbol from stock_state_source',
  claim_event: 'select kind, symbol, trade_date, key, claim, begun_at, decided_at, outcome from claim_event',
  claim_day: 'select kind, symbol, trade_date, regime, digest, sums from claim_day',
  claim_year: 'select kind, simulated, year, days from claim_year',
  claim_figures: 'select kind, simulated, formula, ended, figures from claim_figures',
  claim_touched: 'select kind, first_day, last_day from claim_touched',
  text_model: 'select name, dimensions, whole_at is null as due from text_model',
  text_vector:
    'select m.name, n.key, v.digest, vector::text from text_vector v join text_model m on m.id = model_id join node n on n.id = node_id',
  access_client: `select name, revoked_at is null as valid from access_client where name not like 'caller-%'`,
  access_grant: `select name, scopes, feed, calls_per_day, g.revoked_at is null as valid
    from access_grant g join access_client c on c.id = client_id where name not like 'caller-%'`,
  access_key: 'select count(*) from access_key',
  alert_rule: 'select id, owner, kind, parameters::text, symbols, paused from alert_rule',
  alert_state: 'select rule, symbol, at, trade_date, state::text, today, ever from alert_state',
  alert_judged: 'select simulated, at from alert_judged',
  alert_firing: 'select trade_date, id, rule, owner, symbol, at, price, says from alert_firing',
  alert_receiver: 'select id, owner, channel, failures, disabled from alert_receiver',
  alert_push_key: 'select is_only from alert_push_key',
  alert_outbox: 'select trade_date, firing, receiver, state from alert_outbox',
  backtest_entries: 'select symbol, md5(packed) from backtest_entries',
  backtest_run:
    'select status, request::text, last_session, data_version, md5(results), md5(analysis), md5(grid) from backtest_run',
};

/** Identifiers that are drawn, and what the machine's clock says. */
const DRAWN =
  /"(request_id|computation_ms|created_at|started_at|finished_at|estimated_tokens)":[^,}]*|"instant":"[^"]*","source":"backtest_run"|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Stocks and dates of the scenarios; where there are none the answer says so. */
const DAYS = [
  { symbol: 'SIMX', date: '2024-03-05' },
  { symbol: 'ACME', date: '2024-02-16' },
  { symbol: 'A0', date: '2024-03-04' },
];

/** Everything that a store says of itself, by name: its tables, its files and its answers over HTTP. */
export async function answersOf(place: Place): Promise<Record<string, string>> {
  const app = await openApi(loadConfig(place.settings), { openPool: openInlinePool });
  const server = await app.server({ executesBacktests: false });
  try {
    const { database } = app.context;
    const answers: Record<string, string> = {};
    for (const [table, sql] of Object.entries(READINGS)) answers[table] = await reading(database, sql);
    answers['files without a row'] = await strayFiles(database, place);
    const questions: Question[] = [
      ...DAYS.flatMap((day) => [
        ...stockQuestions(day),
        { name: `${day.symbol}/bars`, path: `/api/graph/v1/stocks/${day.symbol}/bars?interval=1d` },
      ]),
      ...marketQuestions('2024-03-05'),
      { name: 'symbols', path: '/api/graph/v1/symbols' },
    ];
    for (const { name, method = 'GET', path, body } of questions) {
      // What one question makes the service measure, the next is answered with.
      await app.idle();
      const answer = await server.inject({
        method,
        url: path,
        ...(body !== undefined && { payload: body as object }),
      });
      answers[name] = `${answer.statusCode} ${answer.body.replaceAll(DRAWN, '')}`;
    }
    await app.idle();
    const uploads = join(place.data, 'uploads');
    answers['files of killed uploads'] = existsSync(uploads)
      ? readdirSync(uploads)
          .filter((name) => !name.endsWith('.lock'))
          .join()
      : '';
    return answers;
  } finally {
    await server.close();
    await app.close();
  }
}

async function reading(database: Database, sql: string): Promise<string> {
  const rows = await database.query(`select r::text as line from (${sql}) r order by 1`);
  return (rows as { readonly line: string }[]).map(({ line }) => line).join('\n');
}

async function strayFiles(database: Database, { data }: Place): Promise<string> {
  const named = await database.query<{ file: string }>('select file from tape_segment');
  const known = new Set(named.map(({ file }) => file));
  const directory = join(data, 'tape');
  if (!existsSync(directory)) return '';
  return readdirSync(directory)
    .filter((file) => !known.has(file))
    .join();
}
