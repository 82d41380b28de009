import { expirationMoves, moveOfSessions } from '../analysis/options/expected-move.ts';
import { dayOf, type Session } from '../base/calendar.ts';
import { midnightUtc } from '../base/dates.ts';
import { chainRule } from './chain-claims.ts';

/** Sessions of each key. */
const SESSIONS: Readonly<Record<string, number>> = { day: 1, week: 5 };
const KEYS = Object.keys(SESSIONS);
/** Of a normal distribution within one deviation: what comes true if options price the move right. */
export const WITHIN_ONE_DEVIATION = 0.6826894921370859;

/** By key one deviation as a share of the close; null where no expiration lives as long. */
interface Terms {
  readonly shares: readonly (number | null)[];
}

/**
 * Whether the close of the next session, and of the fifth, stayed within the expected move of the last chain of a session,
 * measured from its official close.
 */
export const expectedMove = chainRule<Terms>({
  kind: {
    name: 'expected_move',
    version: 1,
    releasedAt: '2026-11-30',
    keys: KEYS,
    horizonOf: (key) => SESSIONS[key]!,
    says: {
      subject: (key) => `Closes after a ${key} stayed within the expected move`,
      tested: 'expected moves',
    },
  },
  termsOf({ tradeDate, sessionOn }, { chain, smiles }, _snapshot, calendar) {
    const moves = expirationMoves(chain, smiles, sessionOn);
    const index = calendar.sessionIndex(tradeDate);
    const shares = KEYS.map((key) => {
      const sessions = SESSIONS[key]!;
      const end = calendar.sessionAt(index + sessions);
      return end === null
        ? null
        : (moveOfSessions(moves, sessions, midnightUtc(end.tradeDate))?.share ?? null);
    });
    return shares.every((share) => share === null) ? null : { shares };
  },
  judgeOf(calendar, tradeDate, lastDay) {
    const entry = calendar.session(tradeDate)!;
    const index = calendar.sessionIndex(tradeDate);
    const ends = KEYS.map((key): Session | null => calendar.sessionAt(index + SESSIONS[key]!));
    return (prices, { shares }) =>
      KEYS.flatMap((key, at) => {
        const [share, end] = [shares[at]!, ends[at]!];
        if (share === null) return [];
        const isOver = end !== null && dayOf(end.tradeDate) <= lastDay;
        const move = isOver ? prices.returnBetween(dayOf(tradeDate), dayOf(end.tradeDate)) : Number.NaN;
        const isMissing = isOver && Number.isNaN(move);
        return [
          {
            key,
            claim: String(share),
            begunAt: entry.close,
            decidedAt: isOver && !isMissing ? end.close : null,
            side: 1,
            price: null,
            outcome: !isOver ? null : isMissing ? 'undecided' : Math.abs(move) <= share ? 'true' : 'false',
            isGone: isMissing,
            isAmbiguous: false,
            chance: isOver && !isMissing ? WITHIN_ONE_DEVIATION : null,
            controls: isOver && !isMissing ? 1 : 0,
            stratum: 0,
          },
        ];
      });
  },
});
