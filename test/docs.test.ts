import { existsSync, readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { vcpContractionCount } from '../src/analysis/compression.ts';
import { classifyDay } from '../src/analysis/day-type.ts';
import { adx, macd, rsi } from '../src/analysis/indicators/index.ts';
import { levelLadder } from '../src/analysis/level-ladder.ts';
import { volumeTrend } from '../src/analysis/momentum.ts';
import {
  CANDLESTICK_TYPES,
  CHART_PATTERN_TYPES,
  MAJOR_SWING,
  MINOR_SWING,
  SHELF,
} from '../src/analysis/patterns/index.ts';
import { EVENT_SESSIONS, type PriceEventType, priceEvents } from '../src/analysis/price-events.ts';
import { RANGE_SESSIONS } from '../src/analysis/range-3d.ts';
import { profileRowSize, valueAreaRows } from '../src/analysis/volume-profile.ts';
import { midnightUtc, newYorkCalendar } from '../src/base/calendar.ts';
import { deriveStock, INCLUDE_FIELDS, joinStock, StockResult } from '../src/blocks/compose.ts';
import { blocks } from '../src/blocks/index.ts';
import { priceEvents as priceEventsBlock } from '../src/blocks/price-events.ts';
import { ConfigSchema } from '../src/config.ts';
import type { BarColumns } from '../src/market/observations.ts';
import { coversSession, readStockView } from '../src/market/tape/read-view.ts';
import { SegmentReader } from '../src/market/tape/segment-reader.ts';
import {
  type DailyRow,
  flatMinutes,
  marketOf,
  sessionOf,
  sessionsBefore,
  TRADE_DATE,
  viewOf,
} from './support/views.ts';

/** What docs/scoring.md and docs/spec-gaps.md say, against the program. */

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const scoring = page('scoring.md');
const gaps = page('spec-gaps.md');

/** Everything in backticks. */
const quoted = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/`([^`\n]+)`/g), ([, word]) => word!));
const section = (title: string): string => {
  const from = scoring.indexOf(`\n## ${title}\n`);
  expect(from, title).toBeGreaterThan(0);
  const to = scoring.indexOf('\n## ', from + 1);
  return scoring.slice(from, to < 0 ? undefined : to);
};
const missingFrom = (text: string, names: Iterable<string>): string[] => {
  const words = quoted(text);
  return [...names].filter((name) => !words.has(name));
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
}

/** Names of all properties inside a schema. */
function namesIn(schema: Schema): string[] {
  const children = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  const own = Object.entries(schema.properties ?? {});
  return [...own.flatMap(([name, child]) => [name, ...namesIn(child)]), ...children.flatMap(namesIn)];
}

const schemaOf = (schema: TSchema | null): Schema => JSON.parse(JSON.stringify(schema ?? {}));

/** A running session after two years of days, with everything on the tape that a view can carry. */
function answerOfRichView(): Record<string, unknown> {
  const daily = sessionsBefore(TRADE_DATE, 519).map((date, row): DailyRow => {
    const close = 100 + 4 * Math.sin(row / 9) + row * 0.02;
    return [date, close - 0.3, close + 1, close - 1.2, close, 1_000_000 + 1000 * row];
  });
  const minutes = flatMinutes('8:0', 700, 110);
  const told = 'of TEST';
  const view = viewOf({
    at: '12:00',
    daily,
    intraday: minutes.map(([clock], row) => bump(clock, 110 + Math.sin(row / 25))),
    priorIntraday: minutes.map(([clock], row) => bump(clock, 109 + Math.sin(row / 25))),
    quoteAt: '12:00',
    profile: {
      companyName: told,
      description: told,
      ceo: told,
      headquarters: told,
      employees: 1,
      ipoDate: '1990-01-02',
      website: told,
      logoUrl: told,
      sector: told,
      industry: told,
      exchange: told,
    },
  });
  return JSON.parse(joinStock(deriveStock(view, marketOf(view)), 'delayed', [...INCLUDE_FIELDS.keys()]));
}

const bump = (clock: string, price: number) =>
  [clock, price, price + 0.2, price - 0.2, price + 0.1, 1000] as const;

describe('docs/scoring.md', () => {
  const answer = answerOfRichView();

  it('mentions every field of the answer', () => {
    expect(missingFrom(scoring, Object.keys(StockResult.properties))).toEqual([]);
  });

  it('mentions every field inside the blocks that are derived', () => {
    const derived = blocks.filter(({ name }) => answer[name] !== null && name !== 'fundamental');
    const fields = derived.flatMap(({ schema }) => namesIn(schemaOf(schema)));
    expect(fields.length).toBeGreaterThan(150);
    expect(missingFrom(scoring, new Set(fields))).toEqual([]);
  });

  it('mentions every include word', () => {
    expect(missingFrom(scoring, INCLUDE_FIELDS.keys())).toEqual([]);
  });

  it('mentions every pattern', () => {
    expect(missingFrom(section('Patterns'), [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES])).toEqual([]);
  });

  it('mentions every price event', () => {
    const { type } = schemaOf(priceEventsBlock.schema).items!.properties!;
    expect(type!.enum!.length).toBeGreaterThan(20);
    expect(missingFrom(section('Price events'), type!.enum!)).toEqual([]);
  });

  it('lists as not derived what stays null when the tape has everything, and nothing else', () => {
    const DEFAULTS = ['halted', 'score_warnings'];
    const fields = Object.keys(StockResult.properties).filter((field) => !DEFAULTS.includes(field));
    const words = quoted(section('Not derived'));
    const listed = fields.filter((field) => words.has(field) && field !== 'fundamental');
    expect(listed.sort()).toEqual(fields.filter((field) => answer[field] === null).sort());
    const { sector, exchange, ...rest } = answer.fundamental as Record<string, unknown>;
    expect([sector, exchange].includes(null)).toBe(false);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });
});

describe('files and functions', () => {
  const SOURCE = /^((?:src|test|migrations)\/)?([a-z0-9][\w./-]*\.(?:ts|sql|json))(?::(\w+))?$/;

  it.each([
    ['docs/scoring.md', scoring, 'src/'],
    ['docs/spec-gaps.md', gaps, ''],
  ])('that %s names exist', (_, text, folder) => {
    const named = [...quoted(text)].flatMap((word) => {
      const match = SOURCE.exec(word);
      return match === null || !word.includes('/') ? [] : [{ word, match }];
    });
    expect(named.length).toBeGreaterThan(50);
    const wrong = named.filter(({ match: [, root, path, name] }) => {
      const file = new URL(`../${root ?? folder}${path}`, import.meta.url);
      if (!existsSync(file)) return true;
      return (
        name !== undefined && !new RegExp(`(function|const) ${name}\\b`).test(readFileSync(file, 'utf8'))
      );
    });
    expect(wrong.map(({ word }) => word)).toEqual([]);
  });

  it('every point of docs/spec-gaps.md has a choice and a file', () => {
    const rows = gaps.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| point'));
    expect(rows.length).toBeGreaterThan(100);
    const short = rows.filter((row) => {
      const cells = row.replaceAll('\\|', '/').split('|').slice(1, -1);
      return cells.length !== 4 || cells[1]!.trim() === '' || !/`[\w./-]+\.(ts|json|sql)`/.test(cells[3]!);
    });
    expect(short).toEqual([]);
  });
});

/** Where a rule changes its answer between two values, to a part in 10^12: what it does, not what it says. */
function edge(from: number, to: number, rule: (value: number) => boolean): number {
  expect(rule(from), `the rule must change between ${from} and ${to}`).not.toBe(rule(to));
  let [low, high] = [from, to];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (rule(middle) === rule(from)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const firstRow = (column: Float64Array): number => column.findIndex((value) => !Number.isNaN(value));
const column = (rows: number, of: (row: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, row) => of(row));

/** Bars whose high, low and close never change: true range 2, ATR 2, close 0.1 below the high. */
function stillBars(rows: number, last: { open?: number; volume?: number } = {}): BarColumns {
  const still = (value: number, lastValue = value) =>
    column(rows, (row) => (row === rows - 1 ? lastValue : value));
  const open = last.open ?? 100;
  return {
    time: column(rows, (row) => row * 86_400_000),
    open: still(100, open),
    high: still(100.1, Math.max(open, 100.1)),
    low: still(98.1),
    close: still(100),
    volume: still(1000, last.volume ?? 1000),
  };
}

const happens = (bars: BarColumns, type: PriceEventType): boolean =>
  priceEvents(bars, 1).some((event) => event.type === type);

/** The answer of a stock with the given days, the last of them the trade date, and one price after the close. */
function afterClose(days: readonly (readonly [close: number, volume: number])[], lastPrice?: number) {
  const dates = [...sessionsBefore(TRADE_DATE, days.length - 1), TRADE_DATE];
  const view = viewOf({
    daily: days.map(([close, volume], row) => [dates[row]!, close, close + 1, close - 1, close, volume]),
    intraday: lastPrice === undefined ? [] : flatMinutes('17:00', 1, lastPrice),
  });
  return JSON.parse(joinStock(deriveStock(view, marketOf(view)), 'delayed'));
}

function distributionEdge(): number {
  const falling = (recent: number) =>
    afterClose(Array.from({ length: 40 }, (_, row) => [200 - row, row < 35 ? 1e6 : Math.round(recent)]));
  const at = Math.round(edge(1e6, 2e6, (recent) => falling(recent).is_distribution));
  return falling(at).rel_vol_5d;
}

function overextension(): number {
  const wave = Array.from({ length: 60 }, (_, row) => [100 + Math.sin(row), 1000] as const);
  const { sma_20: mean } = afterClose(wave).technical.moving_averages;
  const price = edge(mean, mean + 50, (last) => afterClose(wave, last).is_overextended);
  return (price - mean) / afterClose(wave).technical.atr_14;
}

/** RSI at the last close on which the warning appears. */
function extremeRsi(to: number): number {
  const path = (last: number) =>
    afterClose([...Array.from({ length: 30 }, (_, row) => [100 + (row % 2), 1000] as const), [last, 1000]]);
  return path(edge(100, to, (last) => path(last).extreme_rsi_warning)).technical.rsi_14;
}

/** Daily rows of a view of one symbol whose tape holds these dates. */
function rowsInView(dates: readonly string[]): number {
  const one = Float64Array.from(dates, () => 1);
  const columns = [Float64Array.from(dates, midnightUtc), one, one, one, one, one];
  const tape = { symbol: 'X', slices: [], actions: [], facts: [] };
  const running = [{ kind: 'bars-1d' as const, simulated: false, columns }];
  const reader = new SegmentReader('no such folder');
  const { postClose } = sessionOf(TRADE_DATE);
  return readStockView(reader, { ...tape, running }, newYorkCalendar(), TRADE_DATE, postClose)!.daily.time
    .length;
}

function holeSurvived(): number {
  const dates = [...sessionsBefore(TRADE_DATE, 40), TRADE_DATE];
  const left = (hole: number) => rowsInView([...dates.slice(0, 20), ...dates.slice(20 + hole)]);
  let hole = 0;
  while (left(hole + 1) === dates.length - hole - 1) hole++;
  return hole;
}

/** Least minutes after the open at which bars no longer stand for the session, less one step. */
function slackMinutes(): number {
  const session = sessionOf(TRADE_DATE);
  const covers = (late: number) => {
    const time = Float64Array.from([session.open + late, session.close - 60_000]);
    return coversSession({ time, open: time, high: time, low: time, close: time, volume: time }, session);
  };
  return edge(0, 3_600_000, covers) / 60_000;
}

function vcpRows(): number {
  let rows = 100;
  while (Number.isNaN(vcpContractionCount(stillBars(rows)))) rows++;
  return rows;
}

const share = (rows: number[], from: number) =>
  valueAreaRows(Float64Array.from(rows), 1, rows[0]! + rows[1]!).from === from;
const detail = (trend: number, rotation: number) => classifyDay(trend, rotation).dayTypeDetail;
const walk = column(60, (row) => 100 + Math.sin(row * row));
const above = column(60, (row) => walk[row]! + 1);
const volumeChange = (change: number) =>
  volumeTrend(
    column(20, (row) => 1000 * (1 + change * (row / 19 - 0.5))),
    19,
  ) === 'stable';

const MEASURED: Readonly<Record<string, () => number>> = {
  view_rows: () => rowsInView([...sessionsBefore(TRADE_DATE, 540), TRADE_DATE]),
  hole_sessions: holeSurvived,
  daily_from_intraday_slack: slackMinutes,
  least_delay: () => schemaOf(ConfigSchema).properties!.delayMinutes!.minimum!,
  volume_trend_change: () => edge(0, 1, volumeChange),
  distribution_rel_vol_5d: distributionEdge,
  overextended_distance: overextension,
  extreme_rsi_low: () => extremeRsi(50),
  extreme_rsi_high: () => extremeRsi(190),
  rsi_14_first_row: () => firstRow(rsi(walk)),
  adx_14_first_row: () => firstRow(adx(above, walk, walk)),
  macd_first_row: () => firstRow(macd(walk).line),
  vcp_rows: vcpRows,
  range_3d_sessions: () => RANGE_SESSIONS,
  value_area_share: () => edge(0.5, 1, (inside) => share([1 - inside, inside], 1)),
  profile_row_finest: () => 0.01 / edge(50, 150, (low) => profileRowSize(low, low) === 0.01),
  day_strong_trend: () => edge(0.45, 0.9, (trend) => detail(trend, 0) === 'strong_trend'),
  day_strong_lean: () => 0.9 - edge(0, 0.9, (rotation) => detail(0.9, rotation) === 'strong_trend'),
  day_trend: () => edge(0.2, 0.5, (trend) => detail(trend, 0) === 'trending'),
  day_lean: () => 0.9 - edge(0.6, 0.9, (rotation) => detail(0.9, rotation) === 'trending'),
  level_reach: () =>
    edge(0.01, 1, (away) => {
      const level = { name: 'pdh', family: 'prior_day', price: 100 + 2 * away } as const;
      return levelLadder([level], 100, 2).nearestLevelType === 'resistance';
    }),
  swing_minor: () => MINOR_SWING,
  swing_major: () => MAJOR_SWING,
  chart_confirmed_rows: () => SHELF.chart.confirmedRows,
  chart_failed_rows: () => SHELF.chart.failedRows,
  candlestick_confirmed_rows: () => SHELF.candlestick.confirmedRows,
  candlestick_failed_rows: () => SHELF.candlestick.failedRows,
  event_sessions: () => EVENT_SESSIONS,
  gap_least: () => edge(0.1, 1, (size) => happens(stillBars(40, { open: 100 + 2 * size }), 'gap_up')),
  volume_surge_ratio: () => edge(1, 2.5, (times) => happens(volumeOf(times), 'volume_surge')),
  volume_spike_ratio: () => edge(1, 9, (times) => happens(volumeOf(times), 'volume_spike')),
  volume_dry_up_ratio: () => edge(0.1, 1, (times) => happens(volumeOf(times), 'volume_dry_up')),
};

const volumeOf = (times: number) => stillBars(40, { volume: 1000 * times });

describe('the thresholds of docs/scoring.md', () => {
  const written = new Map(
    Array.from(section('Thresholds').matchAll(/^\| `(\w+)` \| ([\d.]+) \|/gm), ([, name, value]) => [
      name!,
      Number(value),
    ]),
  );

  it('are the ones that are measured here', () => {
    expect([...written.keys()].sort()).toEqual(Object.keys(MEASURED).sort());
  });

  it.each([...written])('%s is %d', (name, value) => {
    expect(MEASURED[name]!() / value).toBeCloseTo(1, 5);
  });
});

describe('the bands of a day', () => {
  it('are the same for rotation', () => {
    const { day_strong_trend: strong, day_trend: trend } = MEASURED;
    const ofRotation = (from: number, to: number, band: string) =>
      edge(from, to, (rotation) => detail(0, rotation) === band);
    expect(ofRotation(0.45, 0.9, 'strong_rotational')).toBeCloseTo(strong!(), 9);
    expect(ofRotation(0.2, 0.5, 'rotational')).toBeCloseTo(trend!(), 9);
  });
});
