import { DAY_MS, dateOf, midnightUtc, midnightUtcOf } from '../../base/dates.ts';
import type { Recommendations } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import { endOfDayNewYork } from './fact-times.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { type FactGatherer, factGatherer } from './reference-fact-gatherer.ts';
import {
  type JsonObject,
  jsonObject,
  numberIn,
  objectOf,
  provenFiles,
  type SourceFile,
  tableRows,
  textIn,
} from './reference-source.ts';

/** Opinions and estimates of analysts, as snapshots of what stood at a date. */

/** A recommendation's mean on the scale 1 strong sell to 5 strong buy; the sources write it from 1 strong buy up. */
export function opinionOf(vendorMean: number | null): number | null {
  return vendorMean === null ? null : Number((6 - vendorMean).toFixed(6));
}

const COUNTS = ['symbol', 'period', 'strongBuy', 'buy', 'hold', 'sell', 'strongSell'];

/** `finnhub_recommendation_trends_*.csv`: counts of a month, which may change until it ends. */
export async function* readRecommendationCounts(
  source: SourceFile,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for (const row of await tableRows(source, COUNTS, tally)) {
    const counts: Recommendations = {
      strongBuy: row.number('strongBuy'),
      buy: row.number('buy'),
      hold: row.number('hold'),
      sell: row.number('sell'),
      strongSell: row.number('strongSell'),
      mean: null,
      analysts: null,
    };
    const knownAt = endOfMonth(row.text('period') ?? '', 0);
    gatherer.take(row.text('symbol'), 'recommendations', knownAt, counts, row);
  }
  yield* gatherer.due(true);
}

/** The end, in New York, of the month of a date, or of the month so many before; NaN for what is no date. */
export function endOfMonth(date: string, monthsBefore: number): number {
  const day = midnightUtc(date);
  if (Number.isNaN(day)) return Number.NaN;
  const [year, month] = dateOf(day).split('-').map(Number);
  const months = year! * 12 + month! - monthsBefore;
  const nextMonth = midnightUtcOf(Math.floor(months / 12), (months % 12) + 1, 1);
  return endOfDayNewYork(dateOf(nextMonth - DAY_MS));
}

/** `consensus_target_*.csv`: the mean target on the day of a snapshot. */
export async function* readConsensusTargets(
  source: SourceFile,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for (const row of await tableRows(source, ['snapshot_date', 'symbol', 'target_mean'], tally)) {
    const target = { mean: row.number('target_mean'), high: null, low: null, analysts: null };
    const knownAt = endOfDayNewYork(row.text('snapshot_date') ?? '');
    gatherer.take(row.text('symbol'), 'price_target', knownAt, target, row);
  }
  yield* gatherer.due(true);
}

/** Estimates of a fiscal year as they stood so many days before the snapshot. */
const ESTIMATES = [
  { member: 'cy90d', year: 'current_year', daysBefore: 90 },
  { member: 'cy30d', year: 'current_year', daysBefore: 30 },
  { member: 'cyNow', year: 'current_year', daysBefore: 0 },
  { member: 'ny90d', year: 'next_year', daysBefore: 90 },
  { member: 'nyNow', year: 'next_year', daysBefore: 0 },
] as const;

/** `estimates_*.json`: estimates of two fiscal years now and before, targets, mean opinion. Known when it was made. */
export async function* readEstimates(source: SourceFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const gatherer = factGatherer(tally);
  for await (const file of provenFiles(source, tally)) {
    const members = await jsonObject(file, tally);
    const knownAt = Date.parse(textIn(members ?? {}, 'generatedAt') ?? '');
    for (const [ticker, entry] of Object.entries(objectOf(members?.names) ?? {})) {
      takeEstimates(gatherer, ticker, objectOf(entry) ?? {}, knownAt, `${file.where}:${ticker}`);
    }
  }
  yield* gatherer.due(true);
}

function takeEstimates(
  gatherer: FactGatherer,
  ticker: string,
  entry: JsonObject,
  knownAt: number,
  where: string,
): void {
  const place = { where, example: JSON.stringify(entry) };
  for (const { member, year, daysBefore } of ESTIMATES) {
    const epsAverage = numberIn(entry, member);
    if (epsAverage === null) continue;
    const estimate = {
      year,
      epsAverage,
      epsHigh: null,
      epsLow: null,
      revenueAverage: null,
      analysts: null,
    };
    gatherer.take(ticker, 'analyst_estimates', knownAt - daysBefore * DAY_MS, estimate, place);
  }
  const target = {
    mean: numberIn(entry, 'target'),
    high: numberIn(entry, 'targetHigh'),
    low: numberIn(entry, 'targetLow'),
    analysts: numberIn(entry, 'analysts'),
  };
  if (target.mean !== null) gatherer.take(ticker, 'price_target', knownAt, target, place);
  const float = floatOf(numberIn(entry, 'sharesShort'), numberIn(entry, 'shortPctFloat'));
  if (float !== null) gatherer.take(ticker, 'shares', knownAt, { outstanding: null, float }, place);
  const mean = opinionOf(numberIn(entry, 'recMean'));
  if (mean !== null) gatherer.take(ticker, 'recommendations', knownAt, { ...NO_OPINIONS, mean }, place);
}

/** Below it a share of the float written with four decimals is more than a percent away from itself. */
const SHORT_SHARE_MIN = 0.005;
const FLOAT_DIGITS = 3;

/** Shares in free float by short interest, to the digits that its share of the float tells; null where those are too few. */
export function floatOf(sharesShort: number | null, shareOfFloat: number | null): number | null {
  if (sharesShort === null || shareOfFloat === null) return null;
  if (!(sharesShort > 0) || !(shareOfFloat >= SHORT_SHARE_MIN && shareOfFloat <= 1)) return null;
  return Number((sharesShort / shareOfFloat).toPrecision(FLOAT_DIGITS));
}

/** Nobody's opinion is known. */
export const NO_OPINIONS: Recommendations = {
  strongBuy: null,
  buy: null,
  hold: null,
  sell: null,
  strongSell: null,
  mean: null,
  analysts: null,
};
