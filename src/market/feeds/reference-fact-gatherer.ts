import { refuseFact } from '../fact-door.ts';
import { factOf } from '../fact-keys.ts';
import type { AnyFact, FactKind, FactValues } from '../facts.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalTally } from './refusal-tally.ts';
import { symbolOf } from './reference-source.ts';

/** Facts after which those gathered so far are handed out. */
const GATHERED_MAX = 20_000;

/** Gathers the facts of one unit by symbol, so that a delivery is many facts of one stock. */
export interface FactGatherer {
  /** True when the fact passed; false when it was refused and counted under its place. */
  take<Kind extends FactKind>(
    ticker: string | null,
    kind: Kind,
    knownAt: number,
    value: FactValues[Kind],
    place: Place,
  ): boolean;
  /** What is due: nothing until much is gathered, all of it when the unit is `finished`. */
  due(finished?: boolean): Iterable<Delivery>;
}

/** Where a fact stands in its source, for the example of a refusal. */
export interface Place {
  readonly where: string;
  readonly example: string;
}

export function factGatherer(tally: RefusalTally): FactGatherer {
  const bySymbol = new Map<string, AnyFact[]>();
  const told = new Set<string>();
  let gathered = 0;
  return {
    take(ticker, kind, knownAt, value, place) {
      const found = symbolOf(ticker);
      const reason = 'reason' in found ? found.reason : refuseFact(factOf(kind, knownAt, value));
      if (reason !== null || 'reason' in found) {
        tally.note(reason ?? 'bad_symbol', place.where, place.example);
        return false;
      }
      const fact = factOf(kind, knownAt, value);
      const subject = `${found.symbol}\n${kind}\n${knownAt}\n${fact.key}`;
      if (told.has(subject)) {
        tally.note('duplicate', place.where, place.example);
        return false;
      }
      told.add(subject);
      bySymbol.getOrInsertComputed(found.symbol, () => []).push(fact);
      gathered++;
      return true;
    },
    *due(finished = false) {
      if (!finished && gathered < GATHERED_MAX) return;
      for (const [symbol, facts] of bySymbol) yield { kind: 'facts', symbol, facts };
      bySymbol.clear();
      gathered = 0;
    },
  };
}
