import type { OptionFigures } from '../../derive/chain-snapshot.ts';
import { INCLUDE_FIELDS, joinStock } from '../../derive/compose.ts';
import type { MarketView } from '../../tape/index.ts';
import { addDte, addExposure, type DteAnswer, type ExposureAnswer } from '../../texts/facts/chain-facts.ts';
import { addAge } from '../../texts/data-age.ts';
import { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { addRecords } from '../../texts/facts/record-facts.ts';
import { addStock, levelStates, type StockAnswer } from '../../texts/facts/stock-facts.ts';
import { visibleInstant } from '../access/viewer.ts';
import { absence } from '../answers/absences.ts';
import { loadStock, type SymbolOnDate } from '../answers/load-stock.ts';
import { marketAt } from '../answers/market-at.ts';
import type { Answer } from '../context/answer-cache.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { getMarketContext } from '../market/get-market-context.ts';
import type { MarketContext } from '../market/schema.ts';
import { getDteScores, getExposure, getOptionFigures } from '../options/get-chain-answers.ts';
import { KINDS_BESIDE, recordsBeside } from '../records/beside-stock.ts';
import { getPeers } from '../stocks/get-peers.ts';
import { addAnalogs } from './analog-facts.ts';
import { type Analogs, findAnalogs } from './find-analogs.ts';
import { type Part, partOf } from './load-market-context.ts';
import { addContext, addMarket, addPeers, addSector, addSectors, type SectorView } from './market-facts.ts';

/** A stock on a trade date with its market, sector, peers, chain and analogs, and the facts that may be quoted. */
export type StockContext = Awaited<ReturnType<typeof loadStockContext>>;

const EVERY_INCLUDE = [...new Set(INCLUDE_FIELDS.values())].sort();

/**
 * Reads a stock and its context, in parallel where possible.
 *
 * @param withExpirations false to leave out the scores of expirations, which price the chain once more for each direction
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function loadStockContext(
  context: AppContext,
  { symbol, date }: SymbolOnDate,
  viewer: Viewer,
  signal: AbortSignal,
  { withExpirations = true }: { readonly withExpirations?: boolean } = {},
) {
  const request = { symbol, date, includes: EVERY_INCLUDE };
  const loaded = await loadStock(context, request, viewer, signal);
  const { simulated, values, tradeDate, factsAsOf, isFinal, now } = loaded;
  const marketName = simulated ? 'simulated' : 'real';
  const { core, ...includes } = values;
  const label = { source: viewer.source, simulated };
  const stored: StockAnswer = JSON.parse(joinStock({ core: core!, includes }, label, EVERY_INCLUDE));
  const { close } = context.calendar.session(tradeDate)!;
  const onDate = { symbol, date: tradeDate };
  // Peers exist only for completed sessions; for the newest date the previous session's are returned.
  const peersOn = { symbol, date: factsAsOf < close && date === undefined ? undefined : tradeDate };
  const scored = async (direction: 'bullish' | 'bearish'): Promise<Part<DteAnswer>> => {
    if (!withExpirations) return { value: null, reason: absence('absent.expirations') };
    const scores = getDteScores(context, { ...onDate, timeframe: 'swing', direction }, viewer);
    return partOf(parsed<DteAnswer>(scores), unpriced);
  };
  const [market, marketContext, peers, exposure, longs, shorts, analogs, records] = await Promise.all([
    marketAt(context, simulated, tradeDate, factsAsOf, signal),
    // One answer serves every stock of the date.
    partOf(parsed<MarketContext>(getMarketContext(context, { date: tradeDate, market: marketName }, viewer))),
    partOf(getPeers(context, peersOn, viewer)),
    partOf(parsed<ExposureAnswer>(getExposure(context, onDate, viewer)), unpriced),
    scored('bullish'),
    scored('bearish'),
    partOf(findAnalogs(context, onDate, viewer, signal)).then(comparable),
    recordsBeside(
      context,
      simulated,
      viewer,
      factsAsOf,
      [...KINDS_BESIDE, 'expiration', 'expected_move'],
      signal,
    ),
  ]);
  const expirations = [longs, shorts];
  // A chain of the evening is of the trade date too, though the stock's own answer ends before it.
  const isNewer = (exposure.value?.source_time ?? '') > (stored.options?.refresh_timestamp ?? '');
  const figures = isNewer ? await parsed<OptionFigures>(getOptionFigures(context, onDate, viewer)) : null;
  const answer = figures === null ? stored : { ...stored, options: figures.options };
  const { sessions_behind: sessionsBehind } = stored;
  const sector = sectorOf(answer, market);

  const registry = new FactRegistry();
  addStock(registry, answer, new Date(factsAsOf).toISOString());
  addRecords(registry, recordsOf(records, stored, expirations), {
    instant: new Date(factsAsOf).toISOString(),
    source: 'records',
  });
  addAge(registry, { tradeDate, sessionsBehind }, visibleInstant(viewer, now));
  addMarket(registry, market);
  addSectors(registry, market);
  const closeOf = (day: string): string => new Date(context.calendar.session(day)!.close).toISOString();
  whereKnown(marketContext, (value) => addContext(registry, value));
  whereKnown(sector, (value) => addSector(registry, value, market.asOf));
  whereKnown(peers, (value) => addPeers(registry, value, closeOf(value.trade_date)));
  whereKnown(exposure, (value) => addExposure(registry, value));
  for (const part of expirations) whereKnown(part, (value) => addDte(registry, value));
  whereKnown(analogs, (value) => addAnalogs(registry, value, closeOf(value.of.tradeDate)));

  const chainAt = Date.parse(exposure.value?.source_time ?? '') || 0;
  const asOf = Math.max(factsAsOf, chainAt);
  return {
    simulated,
    symbol,
    tradeDate,
    /** The instant of `answer`, epoch milliseconds; `asOf` may be that of a later chain. */
    factsAsOf,
    asOf,
    sessionsBehind,
    /** False while peers of the stock are still to be measured. */
    isFinal: isFinal && (peers.value !== null || !peers.isStillToCome),
    now,
    answer,
    market,
    marketContext,
    sector,
    peers,
    exposure,
    expirations,
    analogs,
    registry,
  };
}

function whereKnown<Value>({ value }: { readonly value: Value | null }, add: (value: Value) => void): void {
  if (value !== null) add(value);
}

/** The records of the families of its levels, the types of its patterns, its playbooks and recommended expirations. */
function recordsOf(
  records: Awaited<ReturnType<typeof recordsBeside>>,
  { level_ladder: ladder, patterns, strategies }: StockAnswer,
  expirations: readonly Part<DteAnswer>[],
) {
  const ids = new Set([
    ...(ladder?.levels ?? []).map(({ family }) => `level.${family}`),
    ...(patterns ?? []).map(({ type }) => `pattern.${type}`),
    ...(strategies ?? []).flatMap(({ strategy }) => [`playbook.${strategy}`, `swing_playbook.${strategy}`]),
    ...expirations.flatMap(({ value }) =>
      value?.recommended_expiration == null ? [] : [`expiration.${value.timeframe}.${value.direction}`],
    ),
  ]);
  return [...records.values()].filter(({ id }) => ids.has(id));
}

const parsed = async <Value>(answer: Answer | Promise<Answer>): Promise<Value> =>
  JSON.parse((await answer).body.toString());

/** A chain that could not be priced says why. */
const unpriced = (answer: ExposureAnswer | DteAnswer): string | null =>
  answer.availability === 'unavailable' ? answer.availability_qualifier : null;

function sectorOf(answer: StockAnswer, { sectors }: MarketView): Part<SectorView> {
  const { sector: name } = (answer.fundamental ?? {}) as { sector?: string | null };
  if (name == null) return { value: null, reason: absence('absent.sector') };
  const value = sectors.find(({ sector }) => sector === name);
  if (value !== undefined) return { value, reason: null };
  return { value: null, reason: absence('absent.sector_returns') };
}

function comparable({ value: analogs, reason }: Part<Analogs | null>): Part<Analogs> {
  if (reason !== null) return { value: null, reason };
  if (analogs === null) return { value: null, reason: absence('absent.state') };
  const { items, followed } = analogs;
  // Outcomes may be shown even where none of the days may be named.
  if (items.length > 0 || followed.some(({ n }) => n > 0)) return { value: analogs, reason: null };
  return { value: null, reason: absence('absent.similar_days') };
}

/**
 * Every fact of a stock on a trade date: its own answer with all includes, the market, its sector and peers, its option
 * chain, days like it. A chat context quotes these and no others.
 *
 * @throws CodedError unknown_symbol, no_session, no_data_for_date, overloaded; the reason of the signal when it aborts
 */
export async function factsFor(
  context: AppContext,
  request: SymbolOnDate,
  viewer: Viewer,
  signal: AbortSignal,
) {
  const loaded = await loadStockContext(context, request, viewer, signal);
  const { simulated, symbol, tradeDate, asOf, factsAsOf, registry, answer } = loaded;
  const { company_name: company = null } = answer as { readonly company_name?: string | null };
  const levels = levelStates(answer, new Date(factsAsOf).toISOString());
  return { simulated, symbol, company, tradeDate, asOf, facts: registry.all(), levels };
}
