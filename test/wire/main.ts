/**
 * Holds the wire: records what a running service answers, and compares two recordings.
 *
 *   npm run wire -- record --url http://127.0.0.1:8080 --market recorded|simulated --to folder
 *   npm run wire -- compare before after
 *
 * Both services have to hold the same data and the same time of day (`TIGRAPH_NOW`), or the answers differ for that.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Difference, differences } from './differences.ts';
import {
  marketQuestions,
  otherQuestions,
  type Question,
  recordedDays,
  type StockDay,
  simulatedDays,
  stockQuestions,
  verifyQuestions,
} from './questions.ts';

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

const ROOT = '/api/graph/v1';
/** What is being measured or made is asked for again until then. */
const READY_WITHIN_MS = 120_000;
const ASK_AGAIN_MS = 250;
/** A stream says all of its first words within this time. */
const STREAM_MS = 2_000;
const SHOWN_MAX = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    market: { type: 'string', default: 'simulated' },
    to: { type: 'string', default: 'wire' },
  },
});
const [command, before, after] = positionals;
if (command === 'record') await record(values.url, values.market, values.to);
else if (command === 'compare' && before !== undefined && after !== undefined) compare(before, after);
else {
  console.error('record --url URL --market recorded|simulated --to FOLDER, or compare FOLDER FOLDER');
  process.exitCode = 2;
}

async function record(url: string, market: string, folder: string): Promise<void> {
  const days = market === 'recorded' ? recordedDays() : await daysOfSimulated(url);
  let asked = 0;
  const keep = async (question: Question): Promise<Answer> => {
    const answer = await ask(url, question);
    write(folder, question.name, answer);
    asked++;
    return answer;
  };
  // The first question for peers has them measured, and other answers speak of them.
  for (const day of days) await ask(url, stockQuestions(day)[0]!);
  for (const day of days) {
    let whole: unknown;
    for (const question of stockQuestions(day)) {
      const { body } = await keep(question);
      if (question.name.endsWith('/stock-all')) whole = body;
    }
    for (const question of verifyQuestions(day, whole)) await keep(question);
  }
  for (const date of new Set(days.map((day) => day.date))) {
    for (const question of marketQuestions(date)) await keep(question);
  }
  const { symbol, date } = days[0]!;
  for (const question of otherQuestions(symbol, date)) await keep(question);
  write(folder, 'other/openapi', await ask(url, { name: '', path: '/openapi.json' }));
  write(folder, 'other/metrics', await metricNames(url));
  write(folder, 'other/backtest', await backtest(url, symbol, date));
  const symbols = [...new Set(days.map((day) => day.symbol))].slice(0, 5);
  write(folder, 'other/stream', await stream(`${url}${ROOT}/stream?symbols=${symbols.join(',')}`));
  console.log(`${asked + 4} answers about ${days.length} stock-days in ${folder}`);
}

async function daysOfSimulated(url: string): Promise<StockDay[]> {
  const question = { name: '', method: 'POST', path: `${ROOT}/screener`, body: { limit: 500 } } as const;
  const { body } = await ask(url, question);
  const { date, rows } = body as { date: string; rows: { symbol: string }[] };
  const symbols = rows.map((row) => row.symbol).sort();
  const sessions: string[] = [];
  // Weekdays will do: of a day without a session the refusal is recorded.
  for (let at = Date.parse(date); sessions.length < 60; at -= 86_400_000) {
    if (new Date(at).getUTCDay() % 6 !== 0) sessions.unshift(new Date(at).toISOString().slice(0, 10));
  }
  return simulatedDays(symbols, sessions);
}

async function ask(url: string, { method = 'GET', path, body }: Question): Promise<Answer> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if ((response.status !== 503 && response.status !== 504) || Date.now() > until) {
      const type = response.headers.get('content-type');
      return { status: response.status, type, body: type?.includes('json') ? JSON.parse(text) : text };
    }
    await delay(ASK_AGAIN_MS);
  }
}

/** A run from its start to its deletion, and its events. */
async function backtest(url: string, symbol: string, date: string): Promise<unknown> {
  const path = `${ROOT}/backtest/optimize`;
  const body = {
    symbols: [symbol],
    start_date: date,
    end_date: date,
    signal_types: ['vwap_touch', 'ib_breakout'],
  };
  const started = await ask(url, { name: '', method: 'POST', path, body });
  const { id } = started.body as { id: string };
  const run = `${path}/${id}`;
  let state = await ask(url, { name: '', path: run });
  while (['pending', 'running'].includes((state.body as { status: string }).status)) {
    await delay(ASK_AGAIN_MS);
    state = await ask(url, { name: '', path: run });
  }
  return {
    started,
    ended: await ask(url, { name: '', path: `${run}?include=grid` }),
    listed: await ask(url, { name: '', path: `${path}?limit=1` }),
    events: await ask(url, { name: '', path: `${run}/events` }),
    deleted: await ask(url, { name: '', method: 'DELETE', path: run }),
  };
}

async function metricNames(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('# TYPE'))
    .sort();
}

/** The first frames of a stream: what is known when a caller connects. */
async function stream(url: string): Promise<unknown[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(STREAM_MS) });
  let text = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true });
  } catch {
    // The time is over.
  }
  return text.split('\n\n').map((frame) =>
    frame.split('\n').map((line) => {
      const data = line.startsWith('data: ') ? line.slice(6) : null;
      return data?.startsWith('{') ? JSON.parse(data) : line;
    }),
  );
}

function write(folder: string, name: string, content: unknown): void {
  const path = join(folder, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

function compare(before: string, after: string): void {
  const names = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .sort();
  const all = [...new Set([...names(before), ...names(after)])];
  const found: (Difference & { name: string })[] = [];
  for (const name of all) {
    const [one, other] = [before, after].map((folder) => {
      try {
        return JSON.parse(readFileSync(join(folder, name), 'utf8'));
      } catch {
        return undefined;
      }
    });
    found.push(...differences(one, other).map((difference) => ({ ...difference, name })));
  }
  const [texts, others] = [found.filter((each) => each.forPeople), found.filter((each) => !each.forPeople)];
  for (const [title, list] of [
    ['texts for people', texts],
    ['everything else', others],
  ] as const) {
    const places = Map.groupBy(list, ({ path }) => path.replace(/\[\d+\]/g, '[]'));
    console.log(`${title}: ${list.length} differences at ${places.size} places`);
    for (const [place, [first, ...rest]] of [...places].slice(0, SHOWN_MAX)) {
      console.log(`  ${place} (${rest.length + 1}, first in ${first!.name})`);
      console.log(`    - ${first!.before}\n    + ${first!.after}`);
    }
  }
  console.log(`${all.length} answers compared`);
  if (others.length > 0) process.exitCode = 1;
}
