import { PLAYBOOKS } from '../../analysis/playbooks/library.ts';
import { DAY_MS, dateOf, midnightUtc } from '../../base/dates.ts';
import { planLevels } from './plan-levels.ts';
import { type Unplaced, withReasons } from './reasons.ts';
import type { PlanStock } from './schema.ts';
import { scoreChange } from './score-change.ts';
import { dayText, say } from './sentences.ts';
import type { PlanDay, Planned, StockAnswer } from './stock-answer.ts';
import { turnsOf } from './turns.ts';

/** Headlines that are shown. */
const NEWS_MAX = 5;
const SETUPS_MAX = 5;

/** The plan of one stock: a function of its answers as of the plan's instant, and of nothing else. */
export function planOfStock(planned: Planned, day: PlanDay): PlanStock {
  const { stock, tradeDate, before, simulated } = planned;
  const { above, below, leftOut } = planLevels(planned, day);
  const hasPrinted = tradeDate === day.date;
  const atr = stock.level_ladder?.atr ?? null;
  const unplaced: Unplaced = {
    symbol: stock.symbol,
    name: stock.company_name,
    simulated,
    trade_date: tradeDate,
    updated_at: stock.updated_at,
    halted: stock.halted === true,
    price: stock.last_price,
    ...changeOf(stock, hasPrinted),
    gap: hasPrinted ? gapOf(stock) : null,
    overnight: hasPrinted ? overnightOf(stock) : null,
    atr,
    bias: stock.directional_bias,
    bullish_tier: stock.bullish_tier,
    bearish_tier: stock.bearish_tier,
    net_score: stock.net_confluence,
    changed: scoreChange(stock, before),
    above,
    below,
    levels_left_out: leftOut,
    expected_move: expectedOf(planned, hasPrinted),
    gamma: gammaOf(stock, atr),
    results: resultsOf(planned, day),
    news: newsOf(stock, day),
    news_since: day.previous,
    patterns: confirmedOf(planned, day),
    setups: setupsOf(planned, atr, hasPrinted),
    turns: turnsOf(stock),
    missing: missingOf(stock, hasPrinted, tradeDate),
  };
  return withReasons(unplaced);
}

/** The close before the session, and from there to the price; of an evening that of the hours after the close. */
function changeOf(stock: StockAnswer, hasPrinted: boolean) {
  const close = (hasPrinted ? stock.price?.previous_close : closeOf(stock)) ?? null;
  const { last_price: price } = stock;
  return {
    close_before: close,
    change_pct: hasPrinted
      ? (stock.price?.change_pct ?? null)
      : price === null || close === null
        ? null
        : (price / close - 1) * 100,
  };
}

const closeOf = ({ price }: StockAnswer): number | null =>
  price?.official_close ?? price?.regular?.close ?? null;

/** Before the open the newest print against the close before, after it the opening gap. */
function gapOf({ price }: StockAnswer): PlanStock['gap'] {
  if (price === null) return null;
  if (price.gap !== null && price.gap_pct !== null)
    return { size: price.gap, pct: price.gap_pct, is_final: true };
  if (price.extended?.session !== 'pre') return null;
  const { change, change_pct } = price.extended;
  return change === null || change_pct === null ? null : { size: change, pct: change_pct, is_final: false };
}

function overnightOf({ level_ladder: ladder }: StockAnswer): PlanStock['overnight'] {
  const priceOf = (name: string) => ladder?.levels.find((level) => level.name === name)?.price ?? null;
  const [high, low] = [priceOf('overnight_high'), priceOf('overnight_low')];
  return high === null || low === null ? null : { high, low };
}

/** The band of the plan's session: once it has a print that of the day, before it that of the next session. */
function expectedOf(
  { stock: { expected_move: expected, last_price: price }, recordOf }: Planned,
  hasPrinted: boolean,
): PlanStock['expected_move'] {
  const band = (hasPrinted ? expected?.day : expected?.next) ?? null;
  if (band === null || price === null) return null;
  return {
    ...band,
    position: (price - band.from) / band.move,
    taken_at: expected!.refresh_timestamp,
    sessions_old: expected!.sessions_old,
    record: recordOf('expected_move.day'),
  };
}

function gammaOf(stock: StockAnswer, atr: number | null): PlanStock['gamma'] {
  const { gex_regime: regime, gex_gamma_flip: flip, last_price: price } = stock;
  if (regime === null && flip === null) return null;
  const distance = flip === null || price === null ? null : flip - price;
  return {
    regime,
    flip,
    distance,
    distance_atr: distance === null || atr === null ? null : distance / atr,
    sessions_old: stock.gex_sessions_old,
  };
}

/** When the next results are due, from the day of the plan. */
function resultsOf({ stock: { earnings }, tradeDate }: Planned, day: PlanDay): PlanStock['results'] {
  if (earnings?.days_until == null) return null;
  const date = dateOf(midnightUtc(tradeDate) + earnings.days_until * DAY_MS);
  const days = (midnightUtc(date) - midnightUtc(day.date)) / DAY_MS;
  return days < 0 ? null : { date, days };
}

const newsOf = ({ news }: StockAnswer, { previousClose }: PlanDay): PlanStock['news'] =>
  (news?.items ?? [])
    .filter(({ published_at }) => Date.parse(published_at) > previousClose)
    .slice(0, NEWS_MAX);

/** Confirmed at the last close. */
const confirmedOf = ({ stock: { patterns }, recordOf }: Planned, { previousClose }: PlanDay) =>
  (patterns ?? [])
    .filter(
      ({ confirmed_at: at, status }) =>
        status === 'confirmed' && at !== null && Date.parse(at) >= previousClose,
    )
    .map((pattern) => ({ ...pattern, record: recordOf(`pattern.${pattern.type}`) }));

/** Playbooks that outlive their session: the others end with it, and are of no use in the plan of the next. */
const OVER_NIGHT: ReadonlySet<string> = new Set(
  PLAYBOOKS.filter(({ timeframe }) => timeframe === 'swing').map(({ strategy }) => strategy),
);

function setupsOf(planned: Planned, atr: number | null, hasPrinted: boolean): PlanStock['setups'] {
  const { stock, recordOf } = planned;
  const matches = (stock.strategies ?? []).filter(({ strategy }) => hasPrinted || OVER_NIGHT.has(strategy));
  return matches.slice(0, SETUPS_MAX).map((match) => {
    const { strategy, trigger } = match;
    const away = trigger === null || stock.last_price === null ? null : trigger - stock.last_price;
    return {
      ...match,
      trigger_atr: away === null || atr === null ? null : away / atr,
      record: recordOf(`playbook.${strategy}`) ?? recordOf(`swing_playbook.${strategy}`),
    };
  });
}

function missingOf(stock: StockAnswer, hasPrinted: boolean, date: string): PlanStock['missing'] {
  const absent: [field: string, isAbsent: boolean, reason: string][] = [
    ['gap', !hasPrinted, say('plan.no_print', { date: dayText(date) })],
    ['atr', stock.level_ladder?.atr == null, say('plan.no_atr')],
    ['expected_move', stock.expected_move === null, say('plan.no_chain')],
    ['above', stock.level_ladder === null, say('plan.no_levels')],
  ];
  return absent.flatMap(([field, isAbsent, reason]) => (isAbsent ? [{ field, reason }] : []));
}

/** Stocks in the order of the plan: the heaviest first, of equal ones that which the list names first. */
export const inOrder = (stocks: readonly PlanStock[]): PlanStock[] =>
  stocks.toSorted((one, other) => other.weight - one.weight);
