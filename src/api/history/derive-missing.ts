import { chunks } from '../../base/chunks.ts';
import { CodedError } from '../../base/errors.ts';
import { behindReaders } from '../../database/database.ts';
import type { DayToDerive } from '../../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../../derive/with-peers.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { SymbolTape } from '../../tape/index.ts';
import { isSimulated } from '../../tape/index.ts';
import type { Day } from '../answers/load-stock.ts';
import { marketsAt } from '../answers/market-at.ts';
import { peersInTime } from '../answers/peers-in-time.ts';
import type { AppContext } from '../context/app-context.ts';
import type { DerivedRow } from '../context/history-rows.ts';

/** Days of one task of a derivation thread: some hundredths of a second. */
const DAYS_AT_ONCE = 16;
const TASKS_AT_ONCE = 4;

/**
 * Derives days of a stock, newest first, as stock detail does: with the divergences from peers that are measured so far.
 *
 * @param days ascending
 * @param isAwaited whether a caller waits; else the work makes room for those who do
 * @param awaitsPeers whether sessions that nobody has measured are measured first
 * @param signal ends the work
 * @param take receives each day's row
 * @throws CodedError when a day cannot be derived
 */
export async function deriveMissing(
  context: AppContext,
  tape: SymbolTape,
  days: readonly Day[],
  { isAwaited, awaitsPeers }: { readonly isAwaited: boolean; readonly awaitsPeers: boolean },
  signal: AbortSignal,
  take: (tradeDate: string, derived: DerivedRow) => void,
): Promise<void> {
  const { database, calendar } = context;
  const ended = daysWithPeers([{ tape, days }], calendar);
  const measured = awaitsPeers
    ? await peersInTime(context, ended, signal)
    : await readPeerDays(database, ended, { signal });
  const [job] = withPeers([{ tape, days }], measured);
  const unmeasured = new Set(ended.map(({ tradeDate }) => tradeDate));
  for (const { tradeDate } of measured) unmeasured.delete(tradeDate);
  const markets = await marketsAt(context, isSimulated(tape), days, signal);
  const waiting = [...chunks(job!.days, DAYS_AT_ONCE)];
  const work = async (): Promise<void> => {
    for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
      signal.throwIfAborted();
      await derivePart(part);
    }
  };

  async function derivePart(part: readonly DayToDerive[]): Promise<void> {
    const window = { tape, from: part[0]!.asOf, to: part.at(-1)!.asOf };
    const [known] = await context.tape.withFacts([window], { signal });
    const options = { markets, isBulk: true, ...(isAwaited ? { signal } : {}) };
    const outcomes = await context.deriver.deriveScreens([{ tape: known!, days: part }], options);
    for (const outcome of outcomes) {
      if (outcome.kind === 'failed') {
        throw new CodedError(outcome.code, `${tape.symbol} on ${outcome.tradeDate}: ${outcome.message}`);
      }
      if (outcome.kind !== 'derived') continue;
      take(outcome.tradeDate, { row: outcome.screen, hasPeers: !unmeasured.has(outcome.tradeDate) });
    }
  }

  const outcomes = await Promise.allSettled(Array.from({ length: TASKS_AT_ONCE }, () => behindReaders(work)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
