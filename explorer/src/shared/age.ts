import type { MarketContext, Stock } from './api/queries.ts';
import { dateOf, type Instant, wordsOf, wordsWithYearOf } from './instant.ts';
import { inWords } from './levels.ts';

/** How old an answer is, in the words of the page. */

const PHASES: Readonly<Record<string, string>> = {
  pre_market: 'pre-market',
  regular: 'market open',
  after_hours: 'after hours',
  closed: 'closed',
};

/** `market open` of `regular`. */
export const phaseWords = (phase: string): string => PHASES[phase] ?? inWords(phase);

/** A stock without a bar for so long while the market is open: halted, thin, or a feed that stands still. */
const OLD_MS = 30 * 60_000;

/** `3 sessions old`. */
export const sessionsOld = (sessions: number): string =>
  `${sessions.toLocaleString('en-US')} ${sessions === 1 ? 'session' : 'sessions'} old`;

/** Why the session before is shown. */
function closedWords({ closed_for, phase }: MarketContext['clock']): string {
  if (closed_for === null) return phase === 'closed' ? 'before the session' : 'no bar of this session yet';
  return closed_for === 'weekend' ? 'weekend' : closed_for;
}

/** The instant of a stock's newest data with what a trader must know of it, and whether that is a warning. */
export function ageOf(
  { updated_at, sessions_behind = 0 }: Pick<Stock, 'updated_at' | 'sessions_behind'>,
  market: Pick<MarketContext, 'as_of' | 'clock'> | undefined,
): { readonly words: string; readonly isOld: boolean } {
  const instant = Date.parse(updated_at);
  const phase = market?.clock.phase;
  const now = phase === undefined ? '' : ` · ${phaseWords(phase)}`;
  if (sessions_behind > 0) {
    const today = now === '' ? '' : `${now} now`;
    return { words: `${sessionsOld(sessions_behind)}, of ${wordsWithYearOf(instant)}${today}`, isOld: true };
  }
  if (market !== undefined && dateOf(instant) < dateOf(Date.parse(market.clock.at))) {
    return { words: `${closedWords(market.clock)}: showing ${wordsOf(instant)}`, isOld: false };
  }
  const isOld = phase === 'regular' && Date.parse(market!.as_of) - instant > OLD_MS;
  return { words: `${isOld ? 'no bar since ' : ''}${wordsOf(instant)}${now}`, isOld };
}

/** The market at another minute of the trade date of an answer, as far as its clock says it; undefined of any other day. */
export function marketAt<Market extends Pick<MarketContext, 'as_of' | 'clock'>>(
  market: Market | undefined,
  asOf: Instant,
): Market | undefined {
  if (market === undefined || asOf === undefined) return undefined;
  const { clock } = market;
  const at = Date.parse(asOf);
  const running = clock.phases.find(
    ({ opens_at, closes_at }) => at >= Date.parse(opens_at) && at < Date.parse(closes_at),
  );
  if (running === undefined || dateOf(at) !== clock.trade_date) return undefined;
  return { ...market, as_of: asOf, clock: { ...clock, at: asOf, phase: running.phase, closed_for: null } };
}
