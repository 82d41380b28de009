import { expect } from 'vitest';
import { BETA_SESSIONS, beta } from '../../../src/analysis/beta.ts';
import { vcpContractionCount } from '../../../src/analysis/compression.ts';
import { classifyDay } from '../../../src/analysis/day-type.ts';
import { signalOf } from '../../../src/analysis/diffusion/divergence.ts';
import {
  beatRate,
  earningsSentimentBias,
  normalizedSurprise,
  surpriseCategory,
} from '../../../src/analysis/earnings-surprise.ts';
import {
  fundamentalGrade,
  fundamentalHealth,
  fundamentalQuality,
  HEALTH_SIDES,
  type HealthMeasures,
} from '../../../src/analysis/fundamental-quality.ts';
import { evEbitdaWarning, trailingEps } from '../../../src/analysis/fundamentals.ts';
import { adx } from '../../../src/analysis/indicators/directional.ts';
import { macd } from '../../../src/analysis/indicators/macd.ts';
import { rsi } from '../../../src/analysis/indicators/rsi.ts';
import { levelLadder } from '../../../src/analysis/level-ladder.ts';
import { MarketTally, percentile252, vixRegime } from '../../../src/analysis/market-state.ts';
import { volumeTrend } from '../../../src/analysis/momentum.ts';
import { toneOf } from '../../../src/analysis/news-sentiment.ts';
import { unusualActivity } from '../../../src/analysis/options/chain-figures.ts';
import { gammaExposure, gammaRegime } from '../../../src/analysis/options/gamma-exposure.ts';
import { forecastVolatility } from '../../../src/analysis/options/pricing-edge.ts';
import { yearsToExpiry } from '../../../src/analysis/options/quotes.ts';
import { volatilityPercentile } from '../../../src/analysis/options/surface.ts';
import { cvdTrend } from '../../../src/analysis/order-flow/cvd.ts';
import { cvdDivergence } from '../../../src/analysis/order-flow/divergence.ts';
import { SERVED_ROWS } from '../../../src/analysis/patterns/lifecycle.ts';
import { MAJOR_SWING, MINOR_SWING } from '../../../src/analysis/patterns/pivots.ts';
import { EVENT_SESSIONS, type PriceEventType, priceEvents } from '../../../src/analysis/price-events.ts';
import { RANGE_SESSIONS } from '../../../src/analysis/range-3d.ts';
import { isSevereDecline } from '../../../src/analysis/scoring/warnings.ts';
import { profileRowSize, valueAreaRows } from '../../../src/analysis/volume-profile.ts';
import { DAY_MS, dateOf, midnightUtc, newYorkCalendar } from '../../../src/base/calendar.ts';
import { analyst } from '../../../src/blocks/analyst.ts';
import { announcedReports, earnings } from '../../../src/blocks/earnings.ts';
import { fundamental } from '../../../src/blocks/fundamental.ts';
import { gates } from '../../../src/blocks/gates.ts';
import { news } from '../../../src/blocks/news.ts';
import { sessionFlow } from '../../../src/blocks/order-flow.ts';
import { ownership } from '../../../src/blocks/ownership.ts';
import { ConfigSchema } from '../../../src/config.ts';
import { deriveStock, joinStock } from '../../../src/derive/compose.ts';
import type { AnyFact, EarningsReport, StatedRatio } from '../../../src/market/facts.ts';
import { FlowMinuteBuilder } from '../../../src/market/flow-minute-builder.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { coversSession, DAILY_REACH_DAYS, readStockView } from '../../../src/market/tape/read-view.ts';
import { SegmentReader } from '../../../src/market/tape/segment-reader.ts';
import { derived } from '../../support/derived.ts';
import { pricedMade } from '../../support/made-chain.ts';
import { fundamentalsWith } from '../../support/reported.ts';
import {
  fact,
  flatMinutes,
  instant,
  marketOf,
  sessionOf,
  sessionsBefore,
  TRADE_DATE,
  type ViewParts,
  viewOf,
} from '../../support/views.ts';

/** The thresholds of docs/scoring.md, measured: where the program changes its answer, not what it says of itself. */

/** Where a rule changes its answer between two values, to a part in 10^12: what it does, not what it says. */
export function edge(from: number, to: number, rule: (value: number) => boolean): number {
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
  const tape = { symbol: 'X', slices: [], actions: [], facts: [], chains: [] };
  const running = [{ kind: 'bars-1d' as const, simulated: false, columns }];
  const reader = new SegmentReader({ kind: 'directory', directory: 'no such folder' });
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

/** Fewest minutes after the open at which bars no longer represent the session, less one step. */
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

/** The largest whole number, counted up from `from`, for which a rule still holds. */
function lastWhile(from: number, holds: (value: number) => boolean): number {
  expect(holds(from), `the rule must hold at ${from}`).toBe(true);
  let value = from;
  while (holds(value + 1)) {
    value++;
    expect(value, 'the rule must end somewhere').toBeLessThan(from + 2000);
  }
  return value;
}

/** The smallest whole number, counted up from `from`, for which a rule holds. */
const firstWhere = (from: number, holds: (value: number) => boolean): number =>
  lastWhile(from, (value) => !holds(value)) + 1;

function leastDelayMinutes(): number {
  const schema = JSON.parse(JSON.stringify(ConfigSchema)) as {
    readonly properties: { readonly delayMinutes: { readonly minimum: number } };
  };
  return schema.properties.delayMinutes.minimum;
}

const NOW = instant(TRADE_DATE, '20:00');
const daysBefore = (days: number): string => dateOf(midnightUtc(TRADE_DATE) - days * DAY_MS);

/** A view of a stock that closed at 100 before the trade date, with facts known all along unless they say otherwise. */
const factView = (facts: readonly AnyFact[], parts: ViewParts = {}) => viewOf({ facts, ...parts });

const statedRatios = (ratios: Partial<Record<StatedRatio, number>>, knownAt = NOW - DAY_MS): AnyFact =>
  fact('fundamentals', knownAt, fundamentalsWith({ periodEnd: '2023-12-31', stated: ratios }));

const resultsOn = (date: string, epsActual: number | null = 1.1): AnyFact => {
  const report: EarningsReport = {
    date,
    time: 'pre_market',
    periodEnd: null,
    epsEstimate: 1,
    epsActual,
    revenueEstimate: null,
    revenueActual: null,
  };
  return fact('earnings_report', midnightUtc(date), report, date);
};

const resultsDaysBefore = (...days: number[]): AnyFact[] =>
  days.toSorted((one, other) => other - one).map((back) => resultsOn(daysBefore(back)));

const isStatementRead = (days: number): boolean =>
  derived(fundamental, factView([statedRatios({ roe: 12 }, NOW - days * DAY_MS)])).nested !== null;

/** Earnings of four quarters announced so many days apart. */
const areQuarters = (days: number): boolean =>
  !Number.isNaN(trailingEps([0, 1, 2, 3].map((quarter) => ({ announced: quarter * days * DAY_MS, eps: 1 }))));

const hasTrailingEps = (back: number): boolean => {
  const { nested } = derived(
    fundamental,
    factView(resultsDaysBefore(back, back + 91, back + 182, back + 273)),
  );
  return (nested?.eps_ttm ?? null) !== null;
};

const isOneQuarter = (days: number): boolean =>
  announcedReports(factView(resultsDaysBefore(10, 10 + days))).length === 1;

const isWaiting = (days: number): boolean =>
  !derived(earnings, factView(resultsDaysBefore(days))).nested!.cleared;

/** Moves of an index, and of a stock that follows them half the way. */
const indexWalk = (rows: number) => ({
  time: column(rows, (row) => row * DAY_MS),
  close: column(rows, (row) => 100 + Math.sin(row * row)),
});
const stockWalk = (rows: number) => {
  const { time, close } = indexWalk(rows);
  return { time, close: close.map((value, row) => 50 + value / 2 + Math.cos(row) / 10) };
};
const hasBeta = (returns: number): boolean =>
  !Number.isNaN(beta(stockWalk(returns + 1), indexWalk(returns + 1)));

function betaReaches(back: number): boolean {
  const rows = 2 * BETA_SESSIONS;
  const stock = stockWalk(rows);
  const before = beta(stock, indexWalk(rows));
  stock.close[rows - 1 - back]! += 1;
  return beta(stock, indexWalk(rows)) !== before;
}

const purchaseCounts = (days: number): boolean => {
  const view = factView([
    fact('insider_transaction', NOW - DAY_MS, {
      date: daysBefore(days),
      owner: 'Jane Doe',
      title: null,
      code: 'P',
      shares: 1,
      price: null,
      direction: null,
    }),
  ]);
  return derived(ownership, view).nested!.insider_purchases === 1;
};

const newsAgo = (days: number, id = ''): AnyFact => {
  const publishedAt = NOW - days * DAY_MS;
  return fact(
    'news',
    publishedAt,
    {
      publishedAt,
      headline: `Nothing happens ${id}`,
      summary: null,
      source: null,
      url: null,
      symbols: ['TEST'],
      eventType: null,
      sentiment: null,
      relevance: null,
    },
    `${days} ${id}`,
  );
};
const newsOf = (count: number) =>
  derived(news, factView(Array.from({ length: count }, (_, at) => newsAgo(3, String(at))))).nested!;

const consensusAt = (mean: number): string | null => {
  const opinions = { strongBuy: null, buy: null, hold: null, sell: null, strongSell: null, analysts: 9 };
  return derived(analyst, factView([fact('recommendations', NOW, { ...opinions, mean })])).nested!.consensus;
};

const betaPasses = (ofBeta: number, level: number): boolean => {
  const view = factView([statedRatios({ beta: ofBeta })]);
  const vix = { symbol: '^VIX', level, change1dPct: null, percentile252: null };
  return derived(gates, view, marketOf(view, { vix })).flat.beta_gate_passed === true;
};

/** The lowest quality score that passes; every score that fails must lie below it. */
function fundamentalGate(): number {
  const scores = Array.from({ length: 101 }, (_, step) => {
    const { flat } = derived(gates, factView([statedRatios({ roe: 10, profit_margin: step / 5 })]));
    return { score: flat.fundamental_quality_score!, passed: flat.fundamental_gate_passed! };
  });
  const passing = Math.min(...scores.filter(({ passed }) => passed).map(({ score }) => score));
  const failing = Math.max(...scores.filter(({ passed }) => !passed).map(({ score }) => score));
  expect(failing).toBe(passing - 1);
  return passing;
}

const UNKNOWN_QUALITY = { peRatio: Number.NaN, roe: Number.NaN, profitMargin: Number.NaN };
const qualityMeasures = (): number =>
  [{ roe: 10 }, { roe: 10, profitMargin: 10 }].findIndex(
    (known) => !Number.isNaN(fundamentalQuality({ ...UNKNOWN_QUALITY, ...known })),
  ) + 1;

/** The least weight of known sides with which there is a health score, over all sets of sides. */
function healthWeight(): number {
  const unknown = Object.fromEntries(
    HEALTH_SIDES.flatMap(({ measures }) => measures.map((measure) => [measure, Number.NaN])),
  );
  const weights = Array.from({ length: 2 ** HEALTH_SIDES.length }, (_, set) => {
    const sides = HEALTH_SIDES.filter((_side, at) => (set & (2 ** at)) !== 0);
    const known = Object.fromEntries(sides.map(({ measures }) => [measures[0]!, 10]));
    const health = fundamentalHealth({ ...unknown, ...known } as unknown as HealthMeasures);
    return Number.isNaN(health) ? Number.NaN : sides.reduce((sum, { weight }) => sum + weight, 0);
  });
  return Math.min(...weights.filter((weight) => !Number.isNaN(weight)));
}

const beats = (count: number, beatsBack = 0) =>
  Array.from({ length: count }, (_, row) => ({ actual: row === count - beatsBack ? 2 : 0, estimate: 1 }));

/** True when one print of this size and price counts as a block. */
function isBlock(size: number, price: number): boolean {
  const builder = new FlowMinuteBuilder(0);
  builder.trade(0, price, size, 0);
  return builder.columns().blockTrades[0] === 1;
}

/** A column that runs straight from point to point. */
function through(...points: readonly (readonly [row: number, value: number])[]): Float64Array {
  return column(points.at(-1)![0] + 1, (row) => {
    const next = Math.max(
      1,
      points.findIndex(([at]) => at >= row),
    );
    const [[from, start], [to, end]] = [points[next - 1]!, points[next]!];
    return start + ((end - start) * (row - from)) / (to - from);
  });
}

/** Two lows of price, the second lower and with less selling, so many minutes apart, and so many minutes after it. */
function diverges(apart: number, after: number): boolean {
  const [second, last] = [20 + apart, 20 + apart + after];
  const price = through([0, 101], [20, 100], [20 + apart / 2, 100.8], [second, 99.5], [last, 101]);
  const cvd = through([0, 0], [20, -500], [22, 0], [last, 0]);
  return cvdDivergence({ high: price, low: price, cvd }, 60_000) === 'bullish_div';
}

/** Deviations from no drift at which a session of 109 minutes accumulates: nine minutes lean, the others take turns. */
function driftDeviations(): number {
  const minutes = (lean: number) => column(109, (row) => (row < 9 ? lean : row % 2 === 0 ? 1 : -1));
  const at = edge(0.1, 20, (lean) => cvdTrend(minutes(lean)) === 'accumulating');
  const delta = minutes(at);
  return delta.reduce((sum, shares) => sum + shares) / Math.hypot(...delta);
}

/** True when prints that begin so many minutes after the bars still represent the session. */
function flowStands(late: number): boolean {
  const from = `9:${30 + late}`;
  const flow = flatMinutes(from, 150 - late, 1).map(([clock]) => [clock, { buyByQuote: 1 }] as const);
  return sessionFlow(viewOf({ at: '12:00', intraday: flatMinutes('9:30', 150, 100), flow })) !== null;
}

function tallyOf(stocks: number, sector: string | null = null): MarketTally {
  const tally = new MarketTally();
  const still = column(30, () => 100);
  for (let count = 0; count < stocks; count++) {
    tally.add({ high: still, low: still, close: still, first: 0, row: 29 }, sector);
  }
  return tally;
}

const ranksAmong = (back: number): boolean =>
  percentile252(
    column(400, (row) => (row === 399 ? 1 : row === 399 - back ? 0 : 2)),
    0,
    399,
  ) > 0;

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

export const MEASURED: Readonly<Record<string, () => number>> = {
  view_rows: () => rowsInView([...sessionsBefore(TRADE_DATE, 540), TRADE_DATE]),
  hole_sessions: holeSurvived,
  daily_from_intraday_slack: slackMinutes,
  least_delay: () => leastDelayMinutes(),
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
  level_farthest: () =>
    edge(1, 50, (away) => {
      const level = { name: 'pdh', family: 'prior_day', price: 100 + 2 * away } as const;
      return levelLadder([level], 100, 2).rungs.length === 1;
    }),
  swing_minor: () => MINOR_SWING,
  swing_major: () => MAJOR_SWING,
  chart_confirmed_rows: () => SERVED_ROWS.chart.confirmedRows,
  chart_failed_rows: () => SERVED_ROWS.chart.failedRows,
  candlestick_confirmed_rows: () => SERVED_ROWS.candlestick.confirmedRows,
  candlestick_failed_rows: () => SERVED_ROWS.candlestick.failedRows,
  event_sessions: () => EVENT_SESSIONS,
  gap_least: () => edge(0.1, 1, (size) => happens(stillBars(40, { open: 100 + 2 * size }), 'gap_up')),
  volume_surge_ratio: () => edge(1, 2.5, (times) => happens(volumeOf(times), 'volume_surge')),
  volume_spike_ratio: () => edge(1, 9, (times) => happens(volumeOf(times), 'volume_spike')),
  volume_dry_up_ratio: () => edge(0.1, 1, (times) => happens(volumeOf(times), 'volume_dry_up')),
  statement_age: () => edge(400, 500, isStatementRead),
  eps_quarter_gap_least: () => edge(30, 90, areQuarters),
  eps_quarter_gap_most: () => edge(90, 200, areQuarters),
  eps_report_age: () => lastWhile(100, hasTrailingEps),
  twin_reports: () => lastWhile(1, isOneQuarter) + 1,
  beta_sessions: () => lastWhile(1, betaReaches),
  beta_least: () => firstWhere(2, hasBeta),
  ev_ebitda_extreme: () => edge(50, 200, (multiple) => evEbitdaWarning(multiple, 1) === null),
  surprise_solid: () => edge(0, 10, (surprise) => surpriseCategory(surprise) === 'SOLID_BEAT'),
  surprise_blowout: () => edge(10, 50, (surprise) => surpriseCategory(surprise) === 'BLOWOUT_BEAT'),
  zscore_modest: () => edge(0, 0.8, (zscore) => normalizedSurprise(zscore) === 'INLINE'),
  zscore_strong: () => edge(0.8, 1.5, (zscore) => normalizedSurprise(zscore) === 'MODEST_BEAT'),
  zscore_exceptional: () => edge(1.5, 3, (zscore) => normalizedSurprise(zscore) === 'STRONG_BEAT'),
  surprise_quarters: () => lastWhile(1, (back) => beatRate(beats(12, back)) > 0),
  surprise_quarters_least: () => firstWhere(1, (count) => !Number.isNaN(beatRate(beats(count)))),
  cleared_after: () => lastWhile(0, isWaiting),
  consensus_strong_buy: () => edge(4, 5, (mean) => consensusAt(mean) === 'Strong Buy'),
  consensus_buy: () => edge(3, 4, (mean) => consensusAt(mean) === 'Buy'),
  consensus_hold: () => edge(2, 3, (mean) => consensusAt(mean) === 'Hold'),
  consensus_sell: () => edge(1, 2, (mean) => consensusAt(mean) === 'Sell'),
  insider_window: () => lastWhile(0, purchaseCounts),
  news_window: () => edge(1, 60, (days) => derived(news, factView([newsAgo(days)])).nested !== null),
  news_items: () => lastWhile(1, (count) => newsOf(count).items.length === count),
  news_burst_least: () => firstWhere(1, (count) => newsOf(count).burst !== null),
  tone_from: () => edge(0, 1, (score) => toneOf(score) === 'positive'),
  vix_normal: () => edge(5, 18, (level) => vixRegime(level) === 'NORMAL'),
  vix_elevated: () => edge(15, 25, (level) => vixRegime(level) === 'ELEVATED'),
  vix_extreme_fear: () => edge(25, 60, (level) => vixRegime(level) === 'EXTREME_FEAR'),
  beta_limit_elevated: () => edge(1, 3, (ofBeta) => betaPasses(ofBeta, 25)),
  beta_limit_extreme_fear: () => edge(1, 3, (ofBeta) => betaPasses(ofBeta, 35)),
  severe_decline: () => edge(-20, 0, (decline) => isSevereDecline(decline) === true),
  sentiment_clear: () => edge(1, 30, (surprise) => earningsSentimentBias(surprise) === 'POSITIVE'),
  fundamental_gate: fundamentalGate,
  quality_measures: qualityMeasures,
  health_weight: healthWeight,
  grade_a: () => edge(70, 90, (health) => fundamentalGrade(health) === 'A'),
  grade_b: () => edge(60, 70, (health) => fundamentalGrade(health) === 'B'),
  grade_c: () => edge(40, 60, (health) => fundamentalGrade(health) === 'C'),
  grade_d: () => edge(20, 40, (health) => fundamentalGrade(health) === 'D'),
  block_shares: () => edge(1, 1e6, (size) => isBlock(size, 0.01)),
  block_dollars: () => edge(1, 1e6, (price) => isBlock(1, price)),
  cvd_swing: () => firstWhere(1, (after) => diverges(40, after)),
  cvd_swing_apart: () => firstWhere(2, (apart) => diverges(apart, 20)),
  cvd_divergence_holds: () => lastWhile(20, (after) => diverges(40, after)),
  cvd_trend_minutes: () => firstWhere(1, (minutes) => cvdTrend(new Float64Array(minutes).fill(1)) !== null),
  cvd_trend_deviations: driftDeviations,
  flow_slack: () => lastWhile(0, flowStands),
  breadth_stocks: () => firstWhere(1, (stocks) => tallyOf(stocks).breadth() !== null),
  sector_stocks: () => firstWhere(1, (stocks) => tallyOf(stocks, 'Energy').sectors().length === 1),
  vix_rows_least: () =>
    firstWhere(1, (rows) => !Number.isNaN(percentile252(new Float64Array(rows + 1), 0, rows))),
  vix_rows: () => lastWhile(1, ranksAmong),
  market_reach: () => DAILY_REACH_DAYS,
  iv_days_least: () => firstWhere(1, (days) => !Number.isNaN(percentileAfter(days))),
  iv_days: () => lastWhile(60, (back) => percentileAfter(300, back) > 0),
  unusual_days: () => firstWhere(1, (days) => unusualAfter({ days })),
  unusual_volume: () => edge(10, 5000, (volume) => unusualAfter({ volume })),
  unusual_turnover: () => edge(1.1, 10, (turnover) => unusualAfter({ turnover })),
  unusual_share: () => edge(0.01, 0.99, (share) => unusualAfter({ share })),
  gamma_neutral: () => edge(0.01, 0.9, (lean) => gammaRegime(gammaOf(1 + lean, 1 - lean)) === 'long_gamma'),
  gamma_coverage: gammaCoverage,
  forecast_closes: () =>
    firstWhere(2, (rows) => !Number.isNaN(forecastVolatility(column(rows, (row) => 100 + (row % 2))))),
  expiry_floor: () => edge(1, 300, (minutes) => yearsToExpiry(0, minutes * 60_000) > yearsToExpiry(0, 1)),
  divergence_signal: () => edge(0, 5, (composite) => signalOf(composite) === 'bullish_divergence'),
};

/** Place of a volatility in so many days before it, of which the one `back` from the end lies below it. */
function percentileAfter(days: number, back = 1): number {
  return volatilityPercentile(
    column(days, (row) => (row === days - back ? 0.1 : 0.3)),
    0.2,
  );
}

/** Contracts that are plainly unusual but for the given figures, beside others that are not. */
function unusualAfter({ days = 30, volume = 10_000, turnover = 10, share = 1 }): boolean {
  const expiration = days * DAY_MS;
  return unusualActivity(
    {
      expiration: Float64Array.of(expiration, expiration),
      right: Float64Array.of(1, 1),
      volume: Float64Array.of(volume, volume * (1 / share - 1)),
      openInterest: Float64Array.of(volume / turnover, 1e9),
    },
    0,
  );
}

const gammaOf = (callGamma: number, putGamma: number) => ({
  callGamma,
  putGamma,
  netGamma: callGamma - putGamma,
  delta: 0,
  vanna: 0,
  charm: 0,
  callOpenInterest: 1,
  putOpenInterest: 1,
});

/** Share of the open interest that is quoted from which on there is a regime. */
function gammaCoverage(): number {
  const quoted = [90, 95, 100, 105, 110];
  const regimeWith = (unquoted: number) =>
    gammaExposure(
      pricedMade({
        expirations: ['2024-04-19'],
        strikes: [...quoted, 200],
        openInterest: (strike) => (strike === 200 ? unquoted : 1),
        revise: (contract) => (contract.strike === 200 ? { ...contract, bid: Number.NaN } : contract),
      }),
    ).regime;
  return quoted.length / (quoted.length + edge(0.1, 100, (unquoted) => regimeWith(unquoted) === null));
}

const volumeOf = (times: number) => stillBars(40, { volume: 1000 * times });
