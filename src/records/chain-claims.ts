import { type Calendar, dayOf } from '../base/calendar.ts';
import type { PricedState } from '../blocks/chain-state.ts';
import { type ChainSnapshot, loadChain } from '../derive/chain-snapshot.ts';
import { viewOfChain } from '../derive/chain-view.ts';
import { rowsOfEach, type TapeSource } from '../derive/tape-source.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import type { ChainRef, SymbolTape } from '../tape/index.ts';
import { foundInParts, observedIn } from './around.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import type { RecordKind } from './kind.ts';
import { readClaimTerms } from './store.ts';

/** Kinds whose claims are made by the last chain of a session, at its close. */

export interface ChainClaimsWork {
  readonly stocks: readonly {
    readonly tape: SymbolTape;
    /** Sessions that have closed, ascending: the last chain of each, or the `terms` that were read of it before. */
    readonly dates: readonly { readonly tradeDate: string; readonly basis: ChainRef | string }[];
  }[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** What of a kind of such claims is its own. */
interface ChainRule<Terms> {
  readonly kind: Omit<RecordKind<ChainClaimsWork>, 'load' | 'find' | 'reads' | 'keepsTerms' | 'datesAtOnce'>;
  /** What was served of a chain, as far as a claim rests on it; null where it claims nothing. */
  termsOf(view: StockView, priced: PricedState, snapshot: ChainSnapshot, calendar: Calendar): Terms | null;
  /** Says what became of the claims of a session, whose stocks mostly have the same expirations. */
  judgeOf(
    calendar: Calendar,
    tradeDate: string,
    lastDay: number,
  ): (prices: DailyPrices, terms: Terms) => ClaimEvent[];
}

/** Terms as they are kept, with whether their market is simulated. */
type Served<Terms> = Terms & { readonly simulated: boolean };

export function chainKind<Terms>(rule: ChainRule<Terms>): RecordKind<ChainClaimsWork> {
  const own: RecordKind<ChainClaimsWork> = {
    ...rule.kind,
    datesAtOnce: 40,
    reads: { minutes: 12, chains: true },
    keepsTerms: true,
    async load({ tape, market, deriver, calendar, database }, dates, { lastDay, isNew }) {
      const { name, version } = own;
      const newDates = dates.filter((date) => isNew(name, date));
      const chains = await market.lastChains(newDates.map((date) => calendar.session(date)!));
      const before = dates.filter((date) => !newDates.includes(date));
      const known = await readClaimTerms(database, market.simulated, name, version, before);
      const claimed = [
        ...chains.map(({ tradeDate, slice }) => ({ symbol: slice.symbol, tradeDate, basis: slice })),
        ...known.map(({ symbol, tradeDate, terms }) => ({ symbol, tradeDate, basis: terms })),
      ].sort((one, other) => (one.tradeDate < other.tradeDate ? -1 : 1));
      const bySymbol = Map.groupBy(claimed, ({ symbol }) => symbol);
      const found = await foundInParts([...bySymbol.keys()].sort(), async (names) => {
        const tapes = await tape.symbolTapes(names);
        const stocks = tapes.map((one) => ({ tape: one, dates: bySymbol.get(one.symbol)! }));
        return deriver.claims(own, { stocks, lastDay });
      });
      // A chain without a claim is an observation too.
      return { ...found, observed: [...new Set(claimed.map(({ tradeDate }) => tradeDate))] };
    },
    find: (source, work, isCalledOff) => observedIn(claimsOf(rule, source, work, isCalledOff)),
  };
  return own;
}

function claimsOf<Terms>(
  { termsOf, judgeOf }: ChainRule<Terms>,
  source: TapeSource,
  { stocks, lastDay }: ChainClaimsWork,
  isCalledOff: () => boolean,
): SymbolClaims[] {
  const judges = new Map<string, ReturnType<typeof judgeOf>>();
  return rowsOfEach(stocks, isCalledOff, ({ tape, dates }) => {
    const first = dayOf(dates[0]!.tradeDate);
    const prices = new DailyPrices(source.reader, tape, source.calendar, { first, last: lastDay });
    return dates.flatMap(({ tradeDate, basis }): SymbolClaims[] => {
      const served =
        typeof basis === 'string'
          ? (JSON.parse(basis) as Served<Terms>)
          : servedOf(termsOf, source, tape, tradeDate, basis);
      if (served === null) return [];
      const judge = judges.getOrInsertComputed(tradeDate, () => judgeOf(source.calendar, tradeDate, lastDay));
      return [
        {
          symbol: tape.symbol,
          tradeDate,
          simulated: served.simulated,
          events: judge(prices, served),
          counts: [],
          terms: typeof basis === 'string' ? basis : JSON.stringify(served),
        },
      ];
    });
  });
}

/** What was served of a chain at the close, when the contracts of the day itself had settled. */
function servedOf<Terms>(
  termsOf: ChainRule<Terms>['termsOf'],
  source: TapeSource,
  tape: SymbolTape,
  tradeDate: string,
  chain: ChainRef,
): Served<Terms> | null {
  const { takenAt } = chain;
  const chainAt = source.calendar.session(tradeDate)!.close;
  const view = { ...viewOfChain(source, { ...tape, chains: [chain] }, tradeDate, takenAt), chainAt };
  const snapshot = loadChain(view, unknownMarket(tradeDate, takenAt));
  const terms = snapshot.priced === null ? null : termsOf(view, snapshot.priced, snapshot, source.calendar);
  return terms === null ? null : { simulated: view.simulated || chain.simulated, ...terms };
}
