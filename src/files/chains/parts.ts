import { newYorkDay } from '../../base/time-zone.ts';
import { type ContractColumns, contractColumns, type OptionChain } from '../../market/chains.ts';
import type { Delivery } from '../../market/feed.ts';
import { refusedFile } from '../../market/refusals.ts';

/**
 * Chains that come in several texts of one import: the calls and the puts, a text each expiration, pages of an answer. What
 * has no contract in common and was taken at one time is one chain, of the instant of its latest part.
 */

/** How far apart the parts of one chain are taken, at the most. */
const APART_MAX_MS = 30 * 60_000;
/** Chains of a symbol that may still get a part. */
const WAITING_MAX = 32;

/** A part of a chain, or a whole one. */
interface ChainPart {
  readonly symbol: string;
  readonly takenAt: number;
  /** Whether its instant is that of its newest trade, which says little of when its quotes were taken. */
  readonly isOfTrades: boolean;
  /** A number for each contract. */
  readonly contracts: () => ReadonlySet<number>;
}

/** Parts that are joined, by symbol, in the order in which they came. */
class PartsJoined<Part extends ChainPart> {
  readonly #groups = new Map<string, Part[][]>();

  /** @returns a group that gets no further part, since too many wait */
  add(part: Part): readonly Part[] | null {
    const groups = this.#groups.getOrInsertComputed(part.symbol, () => []);
    const near = groups.filter((group) => group.every((one) => isOneTime(one, part) && isApart(one, part)));
    const apart = (group: readonly Part[]): number => Math.abs(group[0]!.takenAt - part.takenAt);
    const nearest = near.toSorted((a, b) => apart(a) - apart(b))[0];
    if (nearest !== undefined) nearest.push(part);
    else groups.push([part]);
    return groups.length > WAITING_MAX ? groups.shift()! : null;
  }

  groups(): (readonly Part[])[] {
    return [...this.#groups.values()].flat();
  }
}

const isOneTime = (a: ChainPart, b: ChainPart): boolean =>
  a.isOfTrades && b.isOfTrades
    ? newYorkDay(a.takenAt) === newYorkDay(b.takenAt)
    : Math.abs(a.takenAt - b.takenAt) <= APART_MAX_MS;

function isApart(a: ChainPart, b: ChainPart): boolean {
  const [first, second] = [a.contracts(), b.contracts()];
  return first.isDisjointFrom(second);
}

interface ReadPart extends ChainPart {
  readonly chain: OptionChain;
  readonly where: string;
}

function partOf(chain: OptionChain, where: string, isOfTrades: boolean): ReadPart {
  const { symbol, takenAt } = chain;
  let numbers: Set<number> | undefined;
  const contracts = () => {
    numbers ??= contractNumbers(chain.contracts);
    return numbers;
  };
  return { symbol, takenAt, isOfTrades, contracts, chain, where };
}

/** Contracts as whole numbers: expiration in days, settlement, strike in thousandths, right. */
const contractNumbers = ({ expiration, settlement, strike, right }: ContractColumns): Set<number> =>
  new Set(
    strike.map(
      (price, at) =>
        ((expiration[at]! / 86_400_000) * 8 + settlement[at]!) * 2e9 +
        Math.round(price * 1000) * 2 +
        (right[at]! > 0 ? 1 : 0),
    ),
  );

/** What some files have of chains: those with parts of one stand together, in the order of their first. */
export async function groupsOfFiles<File>(
  files: readonly File[],
  chainsIn: (file: File) => AsyncIterable<{ readonly chain: OptionChain; readonly isOfTrades: boolean }>,
): Promise<File[][]> {
  const joined = new PartsJoined<ChainPart & { readonly file: File }>();
  for (const file of files)
    for await (const { chain, isOfTrades } of chainsIn(file)) {
      const { contracts, ...part } = partOf(chain, '', isOfTrades);
      // The numbers alone are kept of it, and not its columns.
      const numbers = contracts();
      joined.add({ symbol: part.symbol, takenAt: part.takenAt, isOfTrades, contracts: () => numbers, file });
    }
  const groupOf = new Map(files.map((file) => [file, new Set([file])]));
  for (const parts of joined.groups()) {
    const together = new Set(parts.flatMap(({ file }) => [...groupOf.get(file)!]));
    for (const file of together) groupOf.set(file, together);
  }
  return [...new Set(groupOf.values())].map((group) => [...group]);
}

/**
 * Joins the parts among the chains of some texts, and refuses what is left of one right only.
 *
 * @param current where the last chain was read, and whether its instant is that of a trade
 */
export async function* joinedChains(
  deliveries: AsyncIterable<Delivery>,
  current: () => Promise<{ readonly where: string; readonly isOfTrades: boolean }>,
): AsyncGenerator<Delivery> {
  const joined = new PartsJoined<ReadPart>();
  for await (const delivery of deliveries) {
    if (delivery.kind !== 'chain') yield delivery;
    else {
      const { where, isOfTrades } = await current();
      const full = joined.add(partOf(delivery.chain, where, isOfTrades));
      if (full !== null) yield wholeOf(full);
    }
  }
  for (const parts of joined.groups()) yield wholeOf(parts);
}

function wholeOf(parts: readonly { readonly chain: OptionChain; readonly where: string }[]): Delivery {
  const chains = parts.map(({ chain }) => chain).toSorted((a, b) => b.takenAt - a.takenAt);
  const [latest] = chains as [OptionChain];
  const priced = chains.find(({ underlyingPrice }) => !Number.isNaN(underlyingPrice)) ?? latest;
  const chain: OptionChain = {
    ...latest,
    underlyingPrice: priced.underlyingPrice,
    contracts:
      chains.length === 1
        ? latest.contracts
        : contractColumns((name) =>
            Float64Array.from(chains.flatMap(({ contracts }) => [...contracts[name]])),
          ),
  };
  const { right } = chain.contracts;
  const only = right.every((side) => side === 1)
    ? 'calls'
    : right.every((side) => side === -1)
      ? 'puts'
      : null;
  if (only === null || right.length === 0) return { kind: 'chain', chain };
  const other = only === 'calls' ? 'puts' : 'calls';
  const fault = `the chain of ${chain.symbol} has ${only} alone, which is a part: bring the file of its ${other} in the same import, as a folder or behind it`;
  return refusedFile(
    'missing_value',
    [...new Set(parts.map((part) => part.where))].join(' + '),
    fault,
    right.length,
  );
}
