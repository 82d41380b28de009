import { type Calendar, dayOf } from '../base/calendar.ts';
import type { PricedState } from '../blocks/chain-state.ts';
import { type ChainSnapshot, loadChain } from '../derive/chain-snapshot.ts';
import { viewOfChain } from '../derive/chain-view.ts';
import { rowsOfEach, type TapeSource } from '../derive/tape-source.ts';
import { unknownMarket } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import type { ChainRef, SymbolTape } from '../tape/index.ts';
import { inParts, joined, observedIn } from './around.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import type { FoundClaims, Pass, RecordGround, RecordKind } from './kind.ts';
import { readClaimTerms } from './store.ts';

/** Kinds whose claims are made by the last chain of a session, at its close. */

interface ChainClaimsWork {
  readonly stocks: readonly {
    readonly tape: SymbolTape;
    readonly dates: readonly ChainDate[];
  }[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** A session that has closed: its last chain, or of each kind the `terms` that were read of it before. */
interface ChainDate {
  readonly symbol: string;
  readonly tradeDate: string;
  readonly basis: ChainRef | readonly (string | null)[];
}

/** Finds the claims of every such kind: pricing a chain takes longest. */
type ChainKind = RecordKind<ChainClaimsWork, FoundClaims[]>;

/** What of a kind of such claims is its own. */
interface ChainRule<Terms> {
  readonly kind: Omit<ChainKind, 'load' | 'find' | 'reads' | 'keepsTerms' | 'datesAtOnce'>;
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

/** What a kind claims of chains, whatever it keeps as terms. */
interface ErasedRule extends Pick<ChainRule<unknown>, 'kind'> {
  /** Claims by the prices of a stock, in the terms of a date or in those that its chain, once it is loaded, gives. */
  claimant(
    calendar: Calendar,
    lastDay: number,
  ): (prices: DailyPrices, date: ChainDate, basis: string | null | (() => LoadedChain)) => SymbolClaims[];
}

export const chainRule = <Terms>({ kind, termsOf, judgeOf }: ChainRule<Terms>): ErasedRule => ({
  kind,
  claimant(calendar, lastDay) {
    const judges = new Map<string, ReturnType<typeof judgeOf>>();
    return (prices, { symbol, tradeDate }, basis) => {
      const isKept = typeof basis === 'string';
      const served = isKept
        ? (JSON.parse(basis) as Served<Terms>)
        : basis && servedOf(termsOf, basis(), calendar);
      if (served === null) return [];
      const judge = judges.getOrInsertComputed(tradeDate, () => judgeOf(calendar, tradeDate, lastDay));
      const { simulated } = served;
      const terms = isKept ? basis : JSON.stringify(served);
      return [{ symbol, tradeDate, simulated, events: judge(prices, served), counts: [], terms }];
    };
  },
});

/** The kinds of some rules, which read each chain together. */
export function chainKinds(rules: readonly ErasedRule[]): ChainKind[] {
  const kinds = rules.map(
    ({ kind }, place): ChainKind => ({
      ...kind,
      datesAtOnce: 40,
      reads: { minutes: 12, chains: true },
      keepsTerms: true,
      async load(ground, dates, pass) {
        const found = await pass.shared(`chains ${dates.join()}`, () => load(ground, dates, pass));
        return found[place]!;
      },
      find: (source, work, isCalledOff) => claimsOf(rules, source, work, isCalledOff),
    }),
  );
  async function load(
    { tape, market, deriver, calendar, database }: RecordGround,
    dates: readonly string[],
    { lastDay, isNew }: Pass,
  ): Promise<FoundClaims[]> {
    const newDates = dates.filter((date) => kinds.some(({ name }) => isNew(name, date)));
    const chains = await market.lastChains(newDates.map((date) => calendar.session(date)!));
    const before = dates.filter((date) => !newDates.includes(date));
    const known = new Map<string, ChainDate & { readonly basis: (string | null)[] }>();
    for (const [place, { name, version }] of kinds.entries())
      for (const { symbol, tradeDate, terms } of await readClaimTerms(
        database,
        market.simulated,
        name,
        version,
        before,
      )) {
        const nothing = () => ({ symbol, tradeDate, basis: kinds.map(() => null) });
        known.getOrInsertComputed(`${symbol} ${tradeDate}`, nothing).basis[place] = terms;
      }
    const claimed: ChainDate[] = [
      ...chains.map(({ tradeDate, slice }) => ({ symbol: slice.symbol, tradeDate, basis: slice })),
      ...known.values(),
    ].sort((one, other) => (one.tradeDate < other.tradeDate ? -1 : 1));
    const bySymbol = Map.groupBy(claimed, ({ symbol }) => symbol);
    const parts = await inParts([...bySymbol.keys()].sort(), async (names) => {
      const tapes = await tape.symbolTapes(names);
      const stocks = tapes.map((one) => ({ tape: one, dates: bySymbol.get(one.symbol)! }));
      return deriver.claims(kinds[0]!, { stocks, lastDay });
    });
    return kinds.map((_, place) => ({
      ...joined(parts.map((part) => part[place]!)),
      // A chain without a claim is an observation too.
      observed: [
        ...new Set(
          claimed
            .filter(({ basis }) => !isTerms(basis) || basis[place] !== null)
            .map(({ tradeDate }) => tradeDate),
        ),
      ],
    }));
  }
  return kinds;
}

const isTerms = (basis: ChainDate['basis']): basis is readonly (string | null)[] => Array.isArray(basis);

/** By place of a rule its claims. */
function claimsOf(
  rules: readonly ErasedRule[],
  source: TapeSource,
  { stocks, lastDay }: ChainClaimsWork,
  isCalledOff: () => boolean,
): FoundClaims[] {
  const claimants = rules.map((rule) => rule.claimant(source.calendar, lastDay));
  const rows = rowsOfEach(stocks, isCalledOff, ({ tape, dates }) => {
    const first = dayOf(dates[0]!.tradeDate);
    const prices = new DailyPrices(source.reader, tape, source.calendar, { first, last: lastDay });
    return dates.map((date) => {
      const { basis } = date;
      if (isTerms(basis)) return claimants.map((claim, place) => claim(prices, date, basis[place]!));
      let chain: LoadedChain | undefined;
      const loaded = () => {
        chain ??= loadedChain(source, tape, date.tradeDate, basis);
        return chain;
      };
      return claimants.map((claim) => claim(prices, date, loaded));
    });
  });
  return rules.map((_, place) => observedIn(rows.flatMap((row) => row[place]!)));
}

/** A chain at the close, when the contracts of the day itself had settled. */
function loadedChain(source: TapeSource, tape: SymbolTape, tradeDate: string, chain: ChainRef) {
  const { takenAt } = chain;
  const chainAt = source.calendar.session(tradeDate)!.close;
  const view = { ...viewOfChain(source, { ...tape, chains: [chain] }, tradeDate, takenAt), chainAt };
  const snapshot = loadChain(view, unknownMarket(tradeDate, takenAt));
  return { view, snapshot, simulated: view.simulated || chain.simulated };
}

type LoadedChain = ReturnType<typeof loadedChain>;

function servedOf<Terms>(
  termsOf: ChainRule<Terms>['termsOf'],
  { view, snapshot, simulated }: LoadedChain,
  calendar: Calendar,
): Served<Terms> | null {
  const terms = snapshot.priced === null ? null : termsOf(view, snapshot.priced, snapshot, calendar);
  return terms === null ? null : { simulated, ...terms };
}
