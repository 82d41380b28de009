import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { type Ask, addressOf } from '../../../src/agents/ask.ts';
import { callTool } from '../../../src/agents/mcp-server.ts';
import { TOOLS } from '../../../src/agents/tools.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { passOver } from '../../support/chat-service.ts';
import {
  LARGEST,
  realDataDirectory,
  recordedDailies,
  recordedFacts,
  recordedMinutes,
} from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import { words } from '../../support/tables.ts';

/** What traders and quants ask an assistant, answered by scripted calls of tools over recorded data. */

const DATE = '2026-02-12';
const BEFORE = '2026-02-11';
const WITH_FACTS = ['NVDA', 'AMD'];

const { server } = await onRealData(
  async (app) => {
    const { calendar } = app.context;
    const bars = (paths: string[], interval: '1m' | '1d', symbol?: string) =>
      csvFeed({ paths, calendar, interval, ...(symbol !== undefined && { symbol }) });
    const daily = await recordedDailies(LARGEST);
    const minutes = ['NVDA', 'SPY'].map((symbol) => recordedMinutes(symbol, '2026-01-12'));
    const facts = await recordedFacts(WITH_FACTS);
    for (const feed of [
      bars([daily], '1d'),
      bars([join(realDataDirectory!, 'macro/vix-daily.csv.gz')], '1d', '^VIX'),
      bars(await Promise.all(minutes), '1m'),
      factsFeed({ paths: facts, calendar }),
      chainsFeed({
        paths: ['yfinance_csv', 'iv_history.csv.gz'].map((name) => join(realDataDirectory!, 'options', name)),
        calendar,
      }),
    ]) {
      await importFeed(app.context, feed);
    }
    for (const date of [BEFORE, DATE]) await passOver(app, date);
  },
  // After the close, with every chain of the day.
  { TIGRAPH_NOW: '2026-02-13T04:30:00Z' },
);

const ask: Ask = async (request) => {
  const { method = 'GET', body } = request;
  const sent = { method, url: addressOf(request), ...(body !== undefined && { payload: body as object }) };
  const response = await server.inject(sent);
  return { status: response.statusCode, body: response.json() };
};

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON, as of every answer in a test.
type Answer = Record<string, any>;

/** A question, its calls of tools and the sentences that a model would make of them, each number with its fact. */
class Conversation {
  tokens = 0;

  async call(name: string, args: object): Promise<Answer> {
    const tool = TOOLS.find((one) => one.name === name)!;
    const { content, isError } = await callTool(tool, args as never, ask, '');
    const [{ text }] = content as unknown as [{ text: string }];
    this.tokens += countTokens(JSON.stringify({ name, arguments: args })) + countTokens(text);
    expect(isError ?? false, `${name} ${text}`).toBe(false);
    return JSON.parse(text);
  }

  /** Values of fields by path, as cited figures. */
  async fields(symbol: string, ...fields: string[]): Promise<(path: string) => string> {
    const { rows } = await this.call('get_stock', { symbol, fields });
    const values = new Map(rows as [string, unknown][]);
    return (path) => cited(values.get(path), `stock.${path}`);
  }

  /** Has a draft verified: of its numbers and dates every one is borne out. */
  async verify(symbol: string, text: string, date?: string): Promise<void> {
    const { rows } = await this.call('verify_draft', { symbol, text, ...(date !== undefined && { date }) });
    const claims = rows as [quote: string, verdict: string, expected: unknown, fact: string][];
    const wrong = claims.filter(([, verdict]) => verdict !== 'matches' && verdict !== 'follows');
    expect(wrong, text).toEqual([]);
    const facts = Array.from(text.matchAll(/\[([\w.^-]+)\]/g), ([, fact]) => fact!);
    expect(
      claims.map(([, , , fact]) => fact),
      text,
    ).toEqual(facts);
    expect(facts.length).toBeGreaterThan(0);
  }
}

/** A figure with its fact. An answer that lacks it is no answer. */
function cited(value: unknown, fact: string): string {
  expect(value, fact).not.toBeNull();
  expect(value, fact).not.toBeUndefined();
  return `${value} [${fact}]`;
}

const at = (table: Answer, row: string, column: string): unknown =>
  table.rows.find(([first]: [string]) => first === row)?.[table.columns.indexOf(column)];

/** What fields of NVDA answer, each in the place of its path. */
const OF_FIELDS = {
  'Where did NVDA close, and how far did it move?':
    'NVDA closed at $<last_price> after $<price.previous_close>, a change of <price.change_pct> percent.',
  'Is the volume unusual?': 'Volume is <volume> shares, <rel_volume> times the usual.',
  'Is volatility rich?': 'IV rank <options.iv_rank>, IV percentile <options.iv_percentile>.',
  'What do analysts think?':
    'Of <analyst.count> analysts <analyst.buy_count> say buy, at a P/E of <fundamental.pe_ratio>.',
  'Where does the trend stand?':
    'The averages are $<technical.moving_averages.sma_20>, $<technical.moving_averages.sma_50> and $<technical.moving_averages.sma_200>; ADX is <technical.adx_14>.',
};
const PLACES = /<([\w.]+)>/g;

const QUESTIONS: Readonly<Record<string, (asked: Conversation) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(OF_FIELDS).map(([question, template]) => [
      question,
      async (asked: Conversation) => {
        const of = await asked.fields('NVDA', ...Array.from(template.matchAll(PLACES), ([, path]) => path!));
        await asked.verify(
          'NVDA',
          template.replaceAll(PLACES, (_, path) => of(path)),
        );
      },
    ]),
  ),
  async 'Did the levels of the day before hold?'(asked) {
    const of = await asked.fields('NVDA', 'levels.pdh', 'levels.pdl', 'last_price');
    const { rows } = await asked.call('get_series', { symbol: 'NVDA', interval: '1d', limit: 1 });
    expect(rows[0][3]).toBeLessThan(188.77);
    await asked.verify(
      'NVDA',
      `The low of the day before, $${of('levels.pdl')}, did not hold; NVDA closed at $${of('last_price')}. The high was $${of('levels.pdh')}.`,
    );
  },
  async 'Why is NVDA bearish?'(asked) {
    const table = await asked.call('explain', { symbol: 'NVDA' });
    const lines = (table.rows as [string, string, number][])
      .filter(([side]) => side === 'bear')
      .sort(([, , one], [, , other]) => other - one)
      .slice(0, 3);
    const parts = lines.map(
      ([side, name, points]) => `${name} with ${cited(points, `ledger.${side}.${name}`)} points`,
    );
    await asked.verify('NVDA', `The bear leads: ${parts.join('; ')}.`);
  },
  async 'What would flip the reading?'(asked) {
    const { flip } = await asked.call('explain', { symbol: 'NVDA' });
    const id = 'stock.confluence_v5.nearest_flip';
    await asked.verify(
      'NVDA',
      `It flips from ${cited(flip.from, `${id}.from`)} to ${cited(flip.to, `${id}.to`)}.`,
    );
  },
  async 'Where is the gamma flip?'(asked) {
    const { gamma_flip, spot_price } = await asked.call('get_options', { symbol: 'NVDA' });
    await asked.verify(
      'NVDA',
      `The gamma flip is at $${cited(gamma_flip, 'exposure.gamma_flip')}, with the stock at $${cited(spot_price, 'exposure.spot')}.`,
    );
  },
  async 'Where are the option walls?'(asked) {
    const { call_wall, put_wall } = await asked.call('get_options', { symbol: 'NVDA' });
    await asked.verify(
      'NVDA',
      `The call wall is $${cited(call_wall, 'exposure.call_wall')}, the put wall $${cited(put_wall, 'exposure.put_wall')}.`,
    );
  },
  async 'Which expiration suits a buyer of calls?'(asked) {
    const table = await asked.call('get_options', {
      symbol: 'NVDA',
      view: 'expirations',
      direction: 'bullish',
    });
    const best = table.recommended_expiration;
    const figure = (column: string) => cited(at(table, best, column), `dte.bullish.${column}`);
    await asked.verify(
      'NVDA',
      `Take ${cited(best, 'dte.bullish.expiration')}, in ${figure('dte')} days: it scores ${figure('composite_score')} points.`,
    );
  },
  async 'What changed since yesterday?'(asked) {
    const fields = ['last_price', 'technical.rsi_14', 'net_confluence'];
    const { rows } = await asked.call('get_series', { symbol: 'NVDA', fields, limit: 2 });
    const draft = (row: number) =>
      `Price $${cited(rows[row][1], 'stock.last_price')}, RSI ${cited(rows[row][2], 'stock.technical.rsi_14')}, net confluence ${cited(rows[row][3], 'stock.net_confluence')}.`;
    expect(rows.map(([date]: [string]) => date)).toEqual([BEFORE, DATE]);
    await asked.verify('NVDA', draft(0), BEFORE);
    await asked.verify('NVDA', draft(1));
  },
  async 'NVDA or AMD?'(asked) {
    for (const symbol of ['NVDA', 'AMD']) {
      const of = await asked.fields(symbol, 'technical.rsi_14', 'net_confluence', 'price.change_pct');
      await asked.verify(
        symbol,
        `RSI ${of('technical.rsi_14')}, net confluence ${of('net_confluence')}, change ${of('price.change_pct')} percent.`,
      );
    }
  },
  async 'What is oversold, and why?'(asked) {
    const filter = { field: 'technical.rsi_14', op: '<', value: 35 };
    const select = ['technical.rsi_14', 'last_price'];
    const sort = [{ field: 'technical.rsi_14', order: 'asc' }];
    const { rows } = await asked.call('screen', { filter, select, sort, limit: 3 });
    const [symbol, rsi] = rows[0];
    const table = await asked.call('explain', { symbol });
    const line = table.rows.find(([side, , , , status]: string[]) => side === 'bear' && status === 'scored');
    await asked.verify(
      symbol,
      `${symbol} has an RSI of ${cited(rsi, 'stock.technical.rsi_14')}; the first line against it is ${line[1]}, ${cited(line[2], `ledger.bear.${line[1]}`)} points.`,
    );
  },
  async 'Is this draft right?'(asked) {
    const text = 'NVDA closed at $191.20 with an RSI of 51.6.';
    const { rows } = await asked.call('verify_draft', { symbol: 'NVDA', text });
    expect(rows.map(([quote, verdict]: string[]) => [quote, verdict])).toEqual([
      ['$191.20', 'contradicts'],
      ['51.6', 'matches'],
    ]);
    const [, , expected, fact] = rows[0];
    const rsi = `51.6 [${rows[1][3]}]`;
    await asked.verify('NVDA', `NVDA closed at $${cited(expected, fact)} with an RSI of ${rsi}.`);
  },
  async 'How did NVDA do against its peers?'(asked) {
    const table = await asked.call('get_related', { symbol: 'NVDA', kind: 'peers', limit: 3 });
    const parts = table.rows.map(([symbol]: [string]) => {
      const figure = cited(at(table, symbol, 'return_pct'), `peer.${symbol}.return_pct`);
      return `${symbol} returned ${figure} percent`;
    });
    await asked.verify('NVDA', `${parts.join('; ')}.`);
  },
  async 'What followed days like this?'(asked) {
    const { followed } = await asked.call('get_related', { symbol: 'NVDA', kind: 'analogs', limit: 5 });
    const { n, median_pct } = followed.find(({ sessions }: { sessions: number }) => sessions === 20);
    await asked.verify(
      'NVDA',
      `Of ${cited(n, 'analogs.20.n')} days the median after a month was ${cited(median_pct, 'analogs.20.median_pct')} percent.`,
    );
  },
  async 'How did the open go?'(asked) {
    const of = await asked.fields('NVDA', 'levels.orb_30m_high', 'levels.orb_30m_low', 'levels.vwap');
    const { rows } = await asked.call('get_series', { symbol: 'NVDA', interval: '30m', limit: 13 });
    expect(rows[0][0]).toBe('09:30');
    await asked.verify(
      'NVDA',
      `The first half hour ran from $${of('levels.orb_30m_low')} to $${of('levels.orb_30m_high')}; VWAP ended at $${of('levels.vwap')}.`,
    );
  },
  async 'How were the results?'(asked) {
    const { rows } = await asked.call('find_fields', { q: 'earnings surprise', limit: 5 });
    expect(rows.map(([path]: [string]) => path)).toContain('earnings.surprise_pct');
    const of = await asked.fields('NVDA', 'earnings.surprise_pct', 'earnings.consecutive_beats');
    await asked.verify(
      'NVDA',
      `The surprise was ${of('earnings.surprise_pct')} percent, the streak ${of('earnings.consecutive_beats')} quarters.`,
    );
  },
  async 'Brief me before the open.'(asked) {
    const { facts } = await asked.call('brief', { symbol: 'NVDA', max_tokens: 2_500 });
    const wanted = new Set(words`
      stock.net_confluence stock.bullish_confluence exposure.gamma_flip market.vix.level
      level.support.strong.price stock.last_price`);
    const found = facts.filter(({ id }: { id: string }) => wanted.has(id));
    expect(found.length).toBeGreaterThan(1);
    const parts = found.map(({ label, value, id }: Answer) => `the ${label} is ${cited(value, id)}`);
    await asked.verify('NVDA', `Today ${parts.join('; ')}.`);
  },
};

describe.skipIf(realDataDirectory === null)('a question', () => {
  const spent = new Map<string, number>();

  it.each(Object.entries(QUESTIONS))(
    '%s is answered with figures that are borne out',
    async (question, answer) => {
      const asked = new Conversation();
      await answer(asked);
      spent.set(question, asked.tokens);
    },
  );

  it('takes few tokens, the calls included', () => {
    expect(spent.size).toBe(20);
    const sorted = [...spent.values()].sort((one, other) => one - other);
    const median = (sorted[9]! + sorted[10]!) / 2;
    console.log(
      [...spent].map(([question, tokens]) => `${String(tokens).padStart(6)}  ${question}`).join('\n'),
    );
    console.log(`median ${median} tokens, most ${sorted.at(-1)}`);
    expect(median).toBeLessThan(4_000);
  });
});
