import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../docs/sentences.ts';
import type { Verification } from '../../../src/api/verify/schema.ts';
import { MINUTE_MS } from '../../../src/base/dates.ts';
import { newYorkMidnight } from '../../../src/base/time-zone.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { companySymbols, INDEX_FUND, VOLATILITY_INDEX } from '../../../src/simulated/companies.ts';
import { simulatedFeed } from '../../../src/simulated/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { CHANGES, type Debate, RULES } from '../../../src/texts/debate/index.ts';
import { freshApp, serverOf } from '../../support/app.ts';
import { passOver } from '../../support/chat-service.ts';
import { constructed, contradictionsOf } from '../../support/debates.ts';
import { FULL, inFull, sampled } from '../../support/depth.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

/** What a trader is told of whole markets: setups that can be taken, and debates whose sentences agree and hold. */

interface Setup {
  readonly strategy: string;
  readonly direction: string;
  readonly trigger: number | null;
  readonly rr_ratio: number | null;
  readonly opposed_by: readonly string[];
}
interface Told {
  readonly setups: readonly Setup[];
  readonly debate: Debate;
  readonly facts: ReadonlyMap<string, unknown>;
}

async function toldOf(server: FastifyInstance, symbol: string, date: string): Promise<Told | null> {
  const at = `symbol=${encodeURIComponent(symbol)}&date=${date}`;
  const chat = await server.inject({
    url: `/api/graph/v1/chat/context?page_type=stock_detail&max_tokens=32000&${at}`,
  });
  // Not every company is listed on every date.
  if (chat.statusCode === 404) return null;
  expect(chat.statusCode, chat.body).toBe(200);
  const stock = await server.inject({
    url: `/api/graph/v1/stocks/${encodeURIComponent(symbol)}?date=${date}&include=strategies`,
  });
  const { debate_summary: debate, facts } = chat.json();
  const { bull, bear, what_would_change: changes } = debate;
  const options = stock.json().options;
  return {
    setups: stock.json().strategies ?? [],
    debate: { bull: bull.points, bear: bear.points, changes },
    facts: new Map<string, unknown>([
      ...(facts as { id: string; value: unknown }[]).map(({ id, value }) => [id, value] as const),
      ['stock.options.best_options_strategy', options?.best_options_strategy],
    ]),
  };
}

/** Where a stock has sentences: in the middle of its session, at its end, and of its options both ways. */
const pathsOf = (symbol: string, date: string): string[] => {
  const stock = `/stocks/${encodeURIComponent(symbol)}`;
  const options = `/options/${encodeURIComponent(symbol)}`;
  return [
    ...['09:32', '11:05', '15:55'].map(
      (clock) => `${stock}?include=strategies&as_of=${newYork(date, clock)}`,
    ),
    `${stock}?include=strategies&date=${date}`,
    `${options}/dte-scores?date=${date}`,
    `${options}/dte-scores?date=${date}&direction=bearish&timeframe=position`,
    `${options}/exposure?date=${date}`,
    `/chat/context?page_type=stock_detail&max_tokens=32000&symbol=${encodeURIComponent(symbol)}&date=${date}`,
  ];
};

const refusedPaths = (company: string): string[] => [
  '/stocks/NOPE',
  `/stocks/${company}?as_of=2010-01-04T15:00:00Z`,
  `/stocks/${company}?date=2010-01-04`,
  `/stocks/${company}?date=2026-11-25`,
  `/stocks/${company}?as_of=2026-11-23T09:30:00Z`,
  '/market/context?date=2010-01-04',
  `/stocks/${company}/peers?date=2024-11-21`,
  `/stocks/${VOLATILITY_INDEX}/peers`,
  `/graph/${company}/neighborhood?date=2010-01-04`,
  `/graph/${company}/neighborhood?date=2025-03-10`,
];

const newYork = (date: string, clock: string): string => {
  const [hours, minutes] = clock.split(':').map(Number) as [number, number];
  return new Date(newYorkMidnight(date) + (hours * 60 + minutes) * MINUTE_MS).toISOString();
};

/** Every text of an answer that ends as a sentence does. */
async function textsAt(server: FastifyInstance, path: string): Promise<string[]> {
  const answer = await server.inject({ url: `/api/graph/v1${path}` });
  // Not every company is listed on every date.
  if (answer.statusCode === 404) return [answer.json<{ detail: string }>().detail];
  expect(answer.statusCode, answer.body).toBe(200);
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string' && value.endsWith('.')) texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(answer.json());
  return texts;
}

/** The template as one whole sentence of a text, or a whole refusal; a figure never reaches over the end of a sentence. */
function patternOf(template: string): { said: RegExp; letters: number } {
  const parts = template.split(/\{[^{}]+\}/);
  const figure = '(?:(?![.] [A-Z0-9]).){1,300}?';
  const end = template.endsWith('.') ? '(?= [A-Z0-9-]|$)' : '$';
  const said = new RegExp(`(?:^|[.] )(${parts.map((part) => RegExp.escape(part)).join(figure)})${end}`);
  return { said, letters: parts.join('').length };
}

/** Faults of what is told, in words. */
async function faultsOf(
  server: FastifyInstance,
  symbol: string,
  date: string,
  told: Told,
): Promise<string[]> {
  const { setups, debate, facts } = told;
  const sides = ['bullish', 'bearish'];
  const against = ({ direction }: Setup): string[] =>
    setups
      .filter(
        (other) =>
          sides.includes(direction) && sides.includes(other.direction) && other.direction !== direction,
      )
      .map(({ strategy }) => strategy);
  const low = setups.filter(({ direction, rr_ratio: r }) =>
    sides.includes(direction) ? !(r! >= 1) : r !== null,
  );
  const unnamed = setups.filter((setup) => `${against(setup)}` !== `${setup.opposed_by}`);
  const points = [...debate.bull, ...debate.bear, ...debate.changes.bull, ...debate.changes.bear];
  const payload = { symbol, date, text: points.map(({ text }) => text).join('\n') };
  const answer = await server.inject({ method: 'POST', url: '/api/graph/v1/chat/verify', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  const { claims }: Verification = answer.json();
  return [
    ...low.map(({ strategy, rr_ratio }) => `R ${rr_ratio} of ${strategy}`),
    ...unnamed.map(({ strategy }) => `${strategy} does not name its conflicts`),
    ...contradictionsOf(debate, facts),
    ...claims
      .filter(({ verdict }) => verdict !== 'matches' && verdict !== 'derivable')
      .map(({ text, verdict, reason }) => `${text} is ${verdict}: ${reason}`),
  ].map((fault) => `${symbol} ${date}: ${fault}`);
}

/** The end of a fall, a rise, a high and a fall of the market; minutes, quotes and chains on the last. */
const DATES = ['2025-09-15', '2026-02-13', '2026-08-14', '2026-11-20'];
const END = DATES.at(-1)!;

describe('the simulated market', async () => {
  const { app } = await freshApp({ TIGRAPH_NOW: '2026-11-23T12:00:00Z' });
  const { calendar } = app.context;
  const size = { symbols: 100, days: 504, seed: 1, minuteSessions: 2, tickSessions: 1 };
  await importFeed(app.context, simulatedFeed({ ...size, end: END, calendar }));
  await passOver(app, END);
  const server = await serverOf(app);
  const symbols = [INDEX_FUND, ...companySymbols(100)].filter((_, at) => at % inFull(1, 3) === 0);
  const told: (Told & { readonly symbol: string; readonly date: string })[] = [];
  for (const date of DATES.toReversed()) {
    for (const symbol of symbols) {
      const one = await toldOf(server, symbol, date);
      if (one !== null) told.push({ symbol, date, ...one });
    }
  }

  it('offers setups worth their risk, names conflicts, and debates without contradiction what can be verified', {
    timeout: 600_000,
  }, async () => {
    expect(told.length).toBeGreaterThanOrEqual(100);
    expect(told.flatMap(({ setups }) => setups).length).toBeGreaterThan(50);
    const faults: string[] = [];
    for (const one of sampled(told, 3)) faults.push(...(await faultsOf(server, one.symbol, one.date, one)));
    expect(faults).toEqual([]);
  });

  it.skipIf(FULL)('has the examples of the debate', async () => {
    const seen = new Map<string, { text: string; of: string }>();
    for (const { debate, symbol, date } of told) {
      for (const { rule, text } of [
        debate.bull,
        debate.bear,
        debate.changes.bull,
        debate.changes.bear,
      ].flat())
        if (!seen.has(rule)) seen.set(rule, { text, of: `${symbol} on ${date}` });
    }
    const examples = [...RULES, ...CHANGES].map((rule) => {
      const example = seen.get(rule.name) ?? { text: constructed(rule), of: null };
      return [rule.name, example];
    });
    const text = `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../fixtures/debate/examples.json');
  });

  it.skipIf(FULL)('has the examples of npm run docs:sentences', { timeout: 600_000 }, async () => {
    /** Each text once, with where it was said first. */
    const texts = new Map<string, string>();
    const keep = (of: string, said: readonly string[]): void => {
      for (const text of said) if (!texts.has(text)) texts.set(text, of);
    };
    const read = async (of: string, paths: readonly string[]): Promise<void> => {
      for (const path of paths) keep(of, await textsAt(server, path));
    };
    for (const date of DATES.toReversed()) {
      await read(date, [
        `/market/context?date=${date}`,
        `/chat/context?page_type=market&query=zebra&date=${date}`,
      ]);
      // The first companies, and every fifth: others say the same sentences.
      const asked = date === END ? symbols.filter((_, at) => at < 6 || at % 5 === 3) : [INDEX_FUND];
      for (const symbol of [...asked, VOLATILITY_INDEX])
        await read(`${symbol} on ${date}`, pathsOf(symbol, date));
    }
    // The first sessions, of which less is known.
    const sessions = calendar.sessionsBetween('2024-11-20', '2025-03-31');
    for (const date of sessions.filter((_, at) => at < 3 || at % 7 === 0)) {
      await read(date, [`/market/context?date=${date}`]);
      await read(`${INDEX_FUND} on ${date}`, [`/stocks/${INDEX_FUND}?include=strategies&date=${date}`]);
    }
    const asked = symbols.slice(0, 24).join();
    for (const date of DATES)
      await read(`a plan of ${date}`, [`/plan?symbols=${asked}&date=${date}&all=true`]);
    await read(`a review of ${END}`, [`/review?symbols=${asked}&date=${END}&sessions=2`]);
    // What a service refuses that has these data, and one that has none.
    await read('a request', refusedPaths(companySymbols(1)[0]!));
    const { app: empty } = await freshApp({ TIGRAPH_NOW: '2026-11-23T12:00:00Z' });
    const emptyServer = await serverOf(empty);
    keep('an empty service', await textsAt(emptyServer, '/market/context'));
    const templates = Array.from(TEMPLATES, ([name, template]) => ({ name, ...patternOf(template) }));
    const examples = templates.flatMap(({ name, said, letters }) => {
      // Another with more of the words is what is said.
      const isSaid = (text: string): boolean =>
        said.test(text) &&
        !templates.some(
          (other) => other.letters > letters && other.said.exec(text)?.[1] === said.exec(text)![1],
        );
      const found = texts.keys().find(isSaid);
      if (found === undefined) return [];
      return [[name, { text: said.exec(found)![1]!, of: texts.get(found)! }] as const];
    });
    // What such days do not say, like that of a halt, is listed as it is written.
    expect(examples.length).toBeGreaterThan(TEMPLATES.size * 0.46);
    const file = `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`;
    await expect(file).toMatchFileSnapshot('../../../fixtures/sentences/examples.json');
  });
});

// Importing everything recorded takes as long as a tenth of the other tests.
describe.skipIf(realDataDirectory === null || !FULL)('every recorded stock-day', async () => {
  const { app, server } = await onRealData(
    async ({ context }) => {
      for (const { feed } of await realDataPlan(realDataDirectory!, context.calendar))
        await importFeed(context, feed);
      await syncGraph(context, { kind: 'touched' });
    },
    { TIGRAPH_NOW: '2026-11-23T12:00:00Z' },
    FULL,
  );

  it('is told as well', { timeout: 600_000 }, async () => {
    const days = await app.context.database.query<{ symbol: string; date: string }>(
      `select symbol, trade_date::text as date from stock_day order by symbol, trade_date`,
    );
    expect(days.length).toBeGreaterThan(700);
    const faults: string[] = [];
    for (const { symbol, date } of days) {
      const told = await toldOf(server, symbol, date);
      faults.push(...(await faultsOf(server, symbol, date, told!)));
    }
    expect(faults).toEqual([]);
  });
});
