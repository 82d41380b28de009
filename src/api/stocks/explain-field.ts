import type { Static } from 'typebox';
import { filled } from '../../analysis/conditions.ts';
import { FAST_INPUTS } from '../../analysis/scoring/inputs.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import type { NearestFlip, ScoreLedgerLine } from '../../blocks/confluence-v5.ts';
import { blocks } from '../../blocks/index.ts';
import { familyOfLevelField } from '../../blocks/level-ladder.ts';
import { SCALAR_FIELDS, scalarAt, scalarField } from '../../derive/scalar-fields.ts';
import { INDEX_SYMBOLS } from '../../market/market-view.ts';
import { RECORD_KINDS } from '../../records/index.ts';
import { flipSays, flipWords } from '../../texts/flip.ts';
import type { Viewer } from '../access/viewer.ts';
import { inTime } from '../answers/cached-answer.ts';
import { loadStock, type SymbolOnDate } from '../answers/load-stock.ts';
import { unknownWord } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { besideOf, recordsBeside } from '../records/beside-stock.ts';
import { importNext } from './import-next.ts';
import { nullReason } from './null-reason.ts';

type Line = Static<typeof ScoreLedgerLine>;
type Flip = Static<typeof NearestFlip>;
type Stock = Readonly<Record<string, unknown>> & {
  readonly symbol: string;
  readonly updated_at: string;
  readonly score_warnings: readonly string[];
};

interface Scored {
  readonly bull_ledger: readonly Line[];
  readonly bear_ledger: readonly Line[];
  readonly formula_version: string;
  readonly nearest_flip?: Flip | null;
}

/** The block with the ledger behind each lifted score, by what their names begin with or end on. */
const LEDGER_OF: readonly (readonly [RegExp, string])[] = [
  [/^pulse_|^pulse_v5\./, 'pulse_v5'],
  [/^(bullish_|bearish_|net_)?entry_|^entry_v2\./, 'entry_v2'],
  [
    /^(bullish|bearish|net)_confluence$|_tier$|^directional_bias|^(conviction_max|conflict_min)_v5$|^confluence_v5\./,
    'confluence_v5',
  ],
];
/** Of which side the ledger is, by the end of the name; of others both are shown. */
const SIDES: readonly (readonly [RegExp, 'bull' | 'bear'])[] = [
  [/^bullish_|[_.]bull$/, 'bull'],
  [/^bearish_|[_.]bear$/, 'bear'],
];

/** Where an input comes from, and the field of the answer that has its instant; bars of the day otherwise. */
const INPUT_SOURCES: readonly (readonly [RegExp, string, string])[] = [
  [/^(iv_|pricing_edge_|greek_lean)/, 'option chain', 'options.refresh_timestamp'],
  [/^(days_to_earnings|days_since_earnings|surprise_pct)$/, 'reported results', 'updated_at'],
  [/^news_/, 'news', 'updated_at'],
  [/^vix$/, 'volatility index', 'updated_at'],
  [new RegExp(`^(${FAST_INPUTS.join('|')})$`), 'one-minute bars', 'bar_1min_timestamp'],
  [/./, 'daily bars', 'bar_daily_timestamp'],
];

/** The page of the documentation with the formula of a block. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^(pulse|entry)_/, 'docs/scoring-intraday.md'],
  [/^(confluence|component|conviction|momentum_health|regime|score|gates)/, 'docs/scoring-scores.md'],
  [/^(options|gex|chain_state)/, 'docs/scoring-options.md'],
  [/./, 'docs/scoring.md'],
];
/** Sessions of the record that is shown beside a score. */
const RECORD_HORIZON = 5;

const ownerOf = new Map(blocks.flatMap(({ name, flat }) => Object.keys(flat).map((field) => [field, name])));

const firstOf = <Value>(
  table: readonly (readonly [RegExp, ...Value[]])[],
  name: string,
): readonly [RegExp, ...Value[]] | undefined => table.find(([pattern]) => pattern.test(name));

/**
 * How a field of a stock came about: its ledger, its inputs with their instants, its formula, what would turn it, and
 * its record.
 *
 * @param request.field path of a single value
 * @throws ValidationRefusal for an unknown path, with the nearest known
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, query_timeout
 */
export async function explainField(
  context: AppContext,
  request: SymbolOnDate & { readonly field: string },
  viewer: Viewer,
) {
  const { symbol, date, field: path } = request;
  const field = scalarField(path);
  if (field === null) {
    const paths = SCALAR_FIELDS.map((known) => known.path);
    const hint = '/api/graph/v1/screener/fields lists them all';
    throw new ValidationRefusal([
      unknownWord('field', path, paths, `No field is called '${path}'`, { hint }),
    ]);
  }
  return inTime(context, `${symbol} was not answered`, async (signal) => {
    const includes = field.include === null ? [] : [field.include];
    const snapshot = await loadStock(context, { symbol, date, includes }, viewer, signal);
    const { simulated } = snapshot;
    const { core, ...parts } = snapshot.values;
    const texts = Object.entries(parts).map(([name, text]) => `,"${name}":${text}`);
    const stock: Stock = JSON.parse(`{${core}${texts.join('')}}`);
    const block = ownerOf.get(path) ?? path.split('.', 1)[0]!;
    const scored = scoredBlock(stock, path);
    const ledger = scored === null ? [] : linesOf(scored, path);
    const flip = scored?.nearest_flip ?? null;
    const own = scored as { readonly formula_version?: string } | null;
    const nested = stock[block] as { readonly formula_version?: unknown } | null | undefined;
    const value = scalarAt(stock, path);
    const isFund =
      INDEX_SYMBOLS.includes(stock.symbol) ||
      stock.score_warnings.includes('earnings_sentiment_gate_not_applicable');
    const version = own?.formula_version ?? nested?.formula_version;
    return {
      symbol: stock.symbol,
      field: path,
      trade_date: snapshot.tradeDate,
      as_of: new Date(snapshot.factsAsOf).toISOString(),
      source: viewer.source,
      simulated,
      value,
      null_reason: value === null ? nullReason(path, stock) : null,
      unit: field.unit,
      formula: {
        block,
        version: typeof version === 'string' ? version : null,
        describes: field.description,
        document: firstOf(PAGES, firstOf(LEDGER_OF, path)?.[1] ?? block)![1]!,
      },
      ledger,
      inputs: inputsOf(ledger, stock),
      // Nothing is imported into the simulated market.
      import_next: simulated ? [] : importNext(ledger, typeof stock.bar_1min_timestamp === 'string', !isFund),
      nearest_flip: flip,
      nearest_flip_says: flip === null ? null : flipSentence(flip),
      record: await recordOf(context, simulated, path, viewer, snapshot.asOf, signal),
    };
  });
}

function scoredBlock(stock: Stock, path: string): Scored | null {
  const name = firstOf(LEDGER_OF, path)?.[1];
  return name === undefined ? null : ((stock[name] as Scored | null | undefined) ?? null);
}

function linesOf({ bull_ledger, bear_ledger }: Scored, path: string) {
  const side = firstOf(SIDES, path)?.[1];
  const of = (name: 'bull' | 'bear', lines: readonly Line[]) =>
    side === undefined || side === name ? lines.map((line) => ({ side: name, ...line })) : [];
  return [...of('bull', bull_ledger), ...of('bear', bear_ledger)];
}

/** Every input of the lines once, by name. */
function inputsOf(ledger: readonly Line[], stock: Stock) {
  const values = new Map(ledger.flatMap(({ inputs }) => Object.entries(inputs)));
  return [...values]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => {
      const [, source, instant] = firstOf(INPUT_SOURCES, name)!;
      const at = scalarAt(stock, instant!);
      return { name, value, instant: typeof at === 'string' ? at : stock.updated_at, source: source! };
    });
}

/** The flip as a sentence. */
function flipSentence(flip: Flip): string {
  const figures = { ...flipWords(flip), from: inTheTrade(flip.from), to: inTheTrade(flip.to) };
  return filled(flipSays(), (name) => figures[name as keyof typeof figures]);
}

const inTheTrade = (value: number): string => `${Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 2))}`;

async function recordOf(
  context: AppContext,
  simulated: boolean,
  path: string,
  viewer: Viewer,
  asOf: number,
  signal: AbortSignal,
) {
  const family = familyOfLevelField(path);
  const kind = family === null ? 'score' : 'level';
  const key = family ?? `${SAME_SCORE[path] ?? path}.${RECORD_HORIZON}d`;
  if (!RECORD_KINDS[kind].keys.includes(key)) return null;
  const records = await recordsBeside(context, simulated, viewer, asOf, [kind], signal);
  return besideOf(records.get(`${kind}.${key}`));
}

/** Fields of a block that a top-level field repeats. */
const SAME_SCORE: Readonly<Record<string, string>> = {
  'confluence_v5.bull': 'bullish_confluence',
  'confluence_v5.bear': 'bearish_confluence',
  'confluence_v5.net': 'net_confluence',
  'pulse_v5.net': 'pulse_net',
  'entry_v2.net': 'net_entry_score',
};
