import { median } from '../analysis/statistics.ts';
import { PACKED_FIELDS, rowReader } from '../derive/projection.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import { readScreenCatalogues, readScreenRows, type StoredScreenRow } from '../graph/screen-rows.ts';
import { tapesAround } from './around.ts';
import { deciles, STOCKS_MIN, spearman } from './evaluation.ts';
import { type ClaimOutcome, PROBABILITY_BINS, type ProbabilityBin } from './events.ts';
import {
  afterEach,
  type FoundClaims,
  horizonInKey,
  inWords,
  longestHorizon,
  NOTHING_FOUND,
  type RecordGround,
  type RecordKind,
  withoutHorizon,
} from './kind.ts';
import { type FoundEvent, findRanked, type LaterReturns, type RankedWork } from './ranked.ts';

/** Scores whose later returns are recorded, as fields of the answer; `-` marks one that speaks for a fall. */
const RECORDED_SCORES = {
  confluence_score: 1,
  bullish_confluence: 1,
  bearish_confluence: -1,
  net_confluence: 1,
  conviction_max_v5: 1,
  net_entry_score: 1,
  pulse_net: 1,
  fundamental_quality_score: 1,
  momentum_blend: 1,
} as const;
/** Those of them that run from 0 to 100, read as the probability that a stock beats the median of its date. */
const PROBABILITY_SCORES: readonly string[] = [
  'confluence_score',
  'bullish_confluence',
  'bearish_confluence',
  'conviction_max_v5',
  'fundamental_quality_score',
];
/** Sessions after which returns are read. */
const HORIZONS = [1, 5, 20] as const;
const ROWS_AT_ONCE = 10_000;

/** Stored scores of sessions, by symbol the values of `RECORDED_SCORES`, NaN where absent. */
/** By symbol the values of the scores. */
type ScoreClaimsWork = RankedWork<{ readonly of: ReadonlyMap<string, Float64Array> }>;

const SCORES = Object.entries(RECORDED_SCORES);

/** The stocks that a score put into its top tenth, against the median stock of their date. */
function scoreClaims(source: TapeSource, work: ScoreClaimsWork): FoundClaims {
  return findRanked(source, work, ({ of }, after) => {
    const events: [string, FoundEvent][] = [];
    const measures = new Map<string, number>();
    const bins: ProbabilityBin[] = [];
    for (const sessions of HORIZONS) {
      const later = after(sessions);
      for (const [place, [score, side]] of SCORES.entries()) {
        const key = `${score}.${sessions}d`;
        const scored = [...of].filter(([, values]) => !Number.isNaN(values[place]!));
        const values = Float64Array.from(scored, ([, own]) => side * own[place]!);
        const returns = Float64Array.from(scored, ([symbol]) => side * later.of(symbol));
        const known = returns.filter((value) => !Number.isNaN(value));
        if (values.length < STOCKS_MIN || (later.isOver && known.length < STOCKS_MIN)) continue;
        const middle = median(known);
        const eventOf = topEvent({ key, claim: score, side: side as 1 | -1 }, later, known, middle);
        for (const [at, tenth] of deciles(values).entries())
          if (tenth === 9) events.push([scored[at]![0], eventOf(returns[at]!)]);
        const kept = values.filter((_, at) => !Number.isNaN(returns[at]!));
        const measure = later.isOver ? spearman(kept, known) : Number.NaN;
        if (!Number.isNaN(measure)) measures.set(key, measure);
        const chances = kept.map((value) => (side * value) / 100);
        if (PROBABILITY_SCORES.includes(score)) bins.push(...binsIn(key, chances, known, middle));
      }
    }
    return { events, measures, bins };
  });
}

/** The event of a stock in the top tenth, by its return. */
function topEvent(
  rule: Pick<FoundEvent, 'key' | 'claim' | 'side'>,
  { isOver, at }: LaterReturns,
  known: Float64Array,
  middle: number,
): (own: number) => FoundEvent {
  const over = known.filter((value) => value > middle).length;
  return (own) => {
    const came = own > middle ? 1 : 0;
    const outcome: ClaimOutcome = Number.isNaN(own) ? 'undecided' : came === 1 ? 'true' : 'false';
    return {
      ...rule,
      outcome: isOver ? outcome : null,
      decidedAt: at,
      isGone: isOver && Number.isNaN(own),
      chance: known.length < 2 ? null : (over - came) / (known.length - 1),
      controls: Math.max(0, known.length - 1),
    };
  };
}

/** How many of the stocks in each bin of their probabilities returned more than the median. */
function binsIn(
  key: string,
  probabilities: Float64Array,
  returns: Float64Array,
  middle: number,
): ProbabilityBin[] {
  const bins = Array.from({ length: PROBABILITY_BINS }, (_, bin) => {
    return { key, bin, events: 0, true: 0, forecast: 0 };
  });
  for (const [at, probability] of probabilities.entries()) {
    const bin = bins[Math.min(PROBABILITY_BINS - 1, Math.floor(probability * PROBABILITY_BINS))]!;
    bin.events++;
    bin.forecast += probability;
    if (returns[at]! > middle) bin.true++;
  }
  return bins.filter(({ events }) => events > 0);
}

const PLACES = new Map(
  SCORES.map(([name], place) => [PACKED_FIELDS.findIndex(({ path }) => path === name), place]),
);

type RowReaders = ReadonlyMap<string, ReturnType<typeof rowReader>>;

async function readersOf({ database }: RecordGround): Promise<RowReaders> {
  const catalogues = await readScreenCatalogues(database);
  return new Map(Array.from(catalogues, ([digest, fields]) => [digest, rowReader(fields)]));
}

/** By symbol the recorded scores of stored rows; NaN where absent. */
function scoresOf(rows: readonly StoredScreenRow[], readers: RowReaders): Map<string, Float64Array> {
  const scores = new Map<string, Float64Array>();
  for (const { symbol, catalogue, packed } of rows) {
    if (symbol.startsWith('^')) continue;
    const values = new Float64Array(SCORES.length).fill(Number.NaN);
    readers.get(catalogue)!.numbers(packed, (field, value) => {
      const place = PLACES.get(field);
      if (place !== undefined) values[place] = value;
    });
    scores.set(symbol, values);
  }
  return scores;
}

export const score: RecordKind<ScoreClaimsWork> = {
  name: 'score',
  version: 1,
  releasedAt: '2026-11-27',
  keys: afterEach(Object.keys(RECORDED_SCORES), HORIZONS),
  horizonOf: horizonInKey,
  measures: 'ranks',
  datesAtOnce: 10,
  reads: { stored: true },
  async load(ground, dates, { lastDay }) {
    const scored = [];
    let readers: RowReaders = new Map();
    for (const tradeDate of dates) {
      const { simulated } = ground.market;
      const rows = await readScreenRows(ground.database, simulated, tradeDate, null, ROWS_AT_ONCE);
      if (rows.some(({ catalogue }) => !readers.has(catalogue))) readers = await readersOf(ground);
      const of = scoresOf(rows, readers);
      if (of.size > 0) scored.push({ tradeDate, of });
    }
    if (scored.length === 0) return NOTHING_FOUND;
    const tapes = await tapesAround(ground, dates, longestHorizon(score), lastDay);
    return ground.deriver.claims(score, { tapes, dates: scored, lastDay });
  },
  find: scoreClaims,
  says: {
    subject: (key) => `Stocks in the top tenth by ${inWords(withoutHorizon(key))} beat the median`,
    tested: 'scores',
  },
};
