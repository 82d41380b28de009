import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { type Block, defineBlock } from '../../../src/blocks/block.ts';
import { blocks } from '../../../src/blocks/index.ts';
import {
  composeProperties,
  deriveBlocks,
  deriveStock,
  INCLUDE_FIELDS,
  joinStock,
  StockResult,
  withAge,
} from '../../../src/derive/compose.ts';
import type { StockView } from '../../../src/market/stock-view.ts';
import { between, forAll, wholeBetween } from '../../support/for-all.ts';
import {
  type DailyRow,
  flatMinutes,
  type IntradayRow,
  marketOf,
  sessionsBefore,
  TRADE_DATE,
  viewOf,
} from '../../support/views.ts';

const WORDS = [...INCLUDE_FIELDS.keys()];

const answer = (view: StockView, words: readonly string[] = WORDS) =>
  JSON.parse(joinStock(deriveStock(view, marketOf(view)), { source: 'delayed', simulated: false }, words));

const faults = (value: unknown): string[] =>
  [...Value.Errors(StockResult, value)].map((error) => `${error.instancePath}: ${error.message}`);

/** A view with everything that this stage reads: two years of days, two days of minutes, running at noon. */
function richView(at = '12:00'): StockView {
  const walk = wave(519, 100, 4);
  const daily: DailyRow[] = sessionsBefore(TRADE_DATE, 519).map((date, row) => {
    const close = walk[row]!;
    return [date, close - 0.3, close + 1, close - 1.2, close, 1_000_000 + 1000 * row];
  });
  return viewOf({
    at,
    daily,
    intraday: minutes('8:0', 700, walk.at(-1)!),
    priorIntraday: minutes('8:0', 700, walk.at(-2)!),
    quoteAt: at,
  });
}

function wave(length: number, middle: number, height: number): number[] {
  return Array.from({ length }, (_, row) => middle + height * Math.sin(row / 9) + row * 0.02);
}

function minutes(from: string, count: number, start: number): IntradayRow[] {
  return flatMinutes(from, count, start).map(([clock], row) => {
    const price = start + Math.sin(row / 25);
    return [clock, price, price + 0.2, price - 0.2, price + 0.1, 1000 + row];
  });
}

describe('the list of blocks', () => {
  it('lets a block read only those before it', () => {
    const forward = blocks.flatMap((block, place) =>
      block.reads
        .filter((read) => !blocks.slice(0, place).includes(read))
        .map((read) => `${block.name} ${read.name}`),
    );
    expect(forward).toEqual([]);
  });

  it('has one block for every file that is named as on the wire', () => {
    const files = readdirSync(new URL('../../../src/blocks', import.meta.url)).map((file) =>
      file.replace(/\.ts$/, ''),
    );
    const missing = blocks
      .map(({ name }) => name.replaceAll('_', '-'))
      .filter((name) => !files.includes(name));
    expect(missing).toEqual([]);
    expect(new Set(blocks.map(({ name }) => name)).size).toBe(blocks.length);
  });
});

describe('composeProperties', () => {
  it('refuses two owners of one field', () => {
    const twice = { ...oneField('first'), name: 'second' };
    expect(() => composeProperties([oneField('first'), twice])).toThrow('field figure has two owners');
  });
});

describe('deriveBlocks', () => {
  it('refuses a block what it does not declare to read', () => {
    const first = oneField('first');
    const curious = defineBlock({
      name: 'curious',
      schema: null,
      flat: {},
      reads: [],
      derive: (_view, known) => ({ nested: null, flat: { stolen: known(first) } }),
    });
    const view = viewOf();
    expect(() => deriveBlocks([first, curious], view, marketOf(view))).toThrow('asks for first');
  });

  it('lets the exception of a broken block pass', () => {
    const broken: Block = {
      ...oneField('broken'),
      derive() {
        throw new RangeError('no such row');
      },
    };
    const view = viewOf();
    expect(() => deriveBlocks([broken], view, marketOf(view))).toThrow('no such row');
  });
});

function oneField(name: string) {
  return defineBlock({
    name,
    schema: null,
    flat: { figure: Type.Number() },
    reads: [],
    derive: () => ({ nested: null, flat: { figure: 1 } }),
  });
}

describe('joinStock', () => {
  const derived = deriveStock(richView(), marketOf(richView()));
  const fragments = { ...derived, core: withAge(derived.core, 0) };
  const join = (words: readonly string[]) =>
    JSON.parse(joinStock(fragments, { source: 'delayed', simulated: false }, words));

  it('says how old the session is, and warns of old scores, and is the same in all else', () => {
    const core = withAge(derived.core, 3);
    const { sessions_behind, score_warnings, ...rest } = JSON.parse(`{${core}}`);
    const { score_warnings: own, ...fresh } = JSON.parse(`{${derived.core}}`);
    expect(sessions_behind).toBe(3);
    expect(own).toEqual(['extreme_rsi']);
    expect(score_warnings).toEqual(['extreme_rsi', 'score_stale', 'conviction_stale']);
    expect(rest).toEqual(fresh);
  });

  it('names the feed of the caller', () => {
    expect(JSON.parse(joinStock(fragments, { source: 'realtime_sip', simulated: false })).source).toBe(
      'realtime_sip',
    );
    expect(join([]).source).toBe('delayed');
  });

  it('keeps every field of the contract present whatever was requested', () => {
    const fields = Object.keys(StockResult.properties).sort();
    expect(Object.keys(join([])).sort()).toEqual(fields);
    expect(Object.keys(join(WORDS)).sort()).toEqual(fields);
  });

  it('leaves blocks that were not requested null, and the requested ones as derived', () => {
    const bare = join([]);
    for (const field of new Set(INCLUDE_FIELDS.values())) expect(bare[field], field).toBeNull();
    expect(join(['levels']).levels).toEqual(JSON.parse(fragments.includes.levels!));
    expect(join(['levels']).volume_profile).toBeNull();
    expect(join(['levels', 'levels'])).toEqual(join(['levels']));
  });

  it('changes nothing else by what was requested', () => {
    const { levels, ...rest } = join(['levels']);
    const { levels: absent, ...bare } = join([]);
    expect(levels).not.toBeNull();
    expect(absent).toBeNull();
    expect(rest).toEqual(bare);
  });

  it('takes either spelling of the themes', () => {
    expect(INCLUDE_FIELDS.get('thematic_exposure')).toBe('thematic_exposures');
    const changed = { ...fragments, includes: { ...fragments.includes, thematic_exposures: '[]' } };
    for (const word of ['thematic_exposure', 'thematic_exposures']) {
      expect(
        JSON.parse(joinStock(changed, { source: 'delayed', simulated: false }, [word])).thematic_exposures,
      ).toEqual([]);
    }
  });

  it('throws at a word that no block answers to', () => {
    expect(() => join(['everything'])).toThrow('everything');
  });
});

describe('deriveStock', () => {
  it('answers a stock with all its data as the schema says', () => {
    for (const at of ['9:00', '9:31', '9:50', '12:00', '16:00', '18:00']) {
      expect(faults(answer(richView(at))), at).toEqual([]);
    }
  });

  // So no block is tested for it once more.
  it('answers a stock without any data with nulls and the defaults of the contract', () => {
    const view = viewOf();
    const { symbol, source, updated_at, ...rest } = answer(view);
    expect(faults({ symbol, source, updated_at, ...rest })).toEqual([]);
    expect(symbol).toBe('TEST');
    expect(updated_at).toBe(new Date(view.asOf).toISOString());
    const said = Object.entries(rest).filter(([, value]) => value !== null);
    expect(Object.fromEntries(said)).toEqual({
      simulated: false,
      volume: 0,
      dollar_volume: 0,
      halted: false,
      is_overextended: false,
      is_distribution: false,
      extreme_rsi_warning: false,
      score_warnings: [],
      peer_divergence_reason: 'The peers of this session are still to be measured.',
    });
  });

  it('answers every view as the schema says', () => {
    const price = between(0.01, 5000);
    const bar = fc.tuple(price, price, price, price, wholeBetween(0, 1e9));
    const cases = fc.record({
      days: fc.array(bar, { maxLength: 60 }),
      minutes: fc.array(bar, { maxLength: 120 }),
      at: fc.constantFrom('9:15', '9:40', '10:45', '16:00', '20:00'),
      interval: fc.constantFrom('1m' as const, '5m' as const),
    });
    forAll([cases], { numRuns: 60 }, ({ days, minutes, at, interval }) => {
      const dates = [...sessionsBefore(TRADE_DATE, days.length)];
      const step = interval === '1m' ? 1 : 5;
      const view = viewOf({
        at,
        interval,
        daily: days.map((row, place) => [dates[place]!, ...ohlcv(row)]),
        intraday: minutes.map((row, place) => [`9:${10 + place * step}`, ...ohlcv(row)]),
      });
      expect(faults(answer(view))).toEqual([]);
    });
  });

  it('gives each field on request the same bytes as with all others, and the core too', () => {
    const view = richView();
    const all = deriveStock(view, marketOf(view));
    for (const wanted of [
      [],
      ...Object.keys(all.includes).map((field) => [field]),
      ['levels', 'strategies'],
    ]) {
      const { core, includes } = deriveStock(view, marketOf(view), null, wanted);
      expect(core, `${wanted}`).toBe(all.core);
      expect(includes).toEqual(Object.fromEntries(wanted.map((field) => [field, all.includes[field]])));
    }
  });

  it('gives the same bytes for the same view and leaves the view as it was', () => {
    const view = richView();
    const { sessionOn: _hours, ...data } = view;
    const before = structuredClone(data);
    const first = deriveStock(view, marketOf(view));
    expect(deriveStock(view, marketOf(view))).toEqual(first);
    expect(data).toEqual(before);
  });
});

/** Any four prices make a bar: the extremes are its high and low. */
function ohlcv([a, b, c, d, volume]: readonly [number, number, number, number, number]) {
  return [a, Math.max(a, b, c, d), Math.min(a, b, c, d), b, volume] as const;
}
