import type { Calendar } from '../../base/calendar.ts';
import { midnightUtc } from '../../base/dates.ts';
import { classOf, indexOfRoot, isOptionIndex } from '../../base/option-roots.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import { type RefusalTally, refusedFile } from '../refusals.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';
import type { TextFile } from './archive.ts';
import {
  type ClassedContract,
  chainDelivery,
  contractSymbol,
  instantOf,
  isAdjustedRoot,
  rightOf,
  styleOf,
} from './chains-contracts.ts';
import { pricedTickerOf } from './fields.ts';
import { wholeText } from './source-file.ts';

/** A chain of 5,000 contracts has 2 MB; this is sixty times the fullest one. */
const CHAIN_BYTES_MAX = 128 * 2 ** 20;

type Members = Readonly<Record<string, unknown>>;

/**
 * One chain as an object: `symbol`, `updated` or `taken_at`, `underlyingPrice` or `underlying_price`, `style`, and
 * `quotes` or `contracts`, an array with an object for each contract; see `docs/data-formats.md`. An absent or null
 * member is unknown.
 */
export async function* chainJson(
  file: TextFile,
  calendar: Calendar,
  tally: RefusalTally,
): AsyncGenerator<Delivery> {
  yield chainIn(await wholeText(file, CHAIN_BYTES_MAX), file.where, calendar, tally);
}

/** @param text null for a file that is too large */
function chainIn(text: string | null, where: string, calendar: Calendar, tally: RefusalTally): Delivery {
  const refused = (reason: RefusalReason, example: string) => refusedFile(reason, where, example);
  if (text === null) return refused('too_large', `a chain of more than ${CHAIN_BYTES_MAX} bytes`);
  const input = parsed(text);
  if (input === null) return refused('unknown_format', 'the file is no JSON object');
  const contracts = input.quotes ?? input.contracts;
  if (!Array.isArray(contracts))
    return refused('unknown_format', 'the object has no array of quotes or contracts');
  const symbol = pricedTickerOf(String(input.symbol ?? ''));
  if (symbol === null) return refused('bad_symbol', `symbol ${String(input.symbol)}`);
  const written = input.updated ?? input.taken_at;
  const takenAt = typeof written === 'string' ? instantOf(written) : Number.NaN;
  if (Number.isNaN(takenAt))
    return refused('bad_time', `no instant with its zone in ${JSON.stringify(written ?? null)}`);
  const style = input.style ?? styleOf(symbol);
  if (style !== 'american' && style !== 'european')
    return refused('bad_word', `style ${JSON.stringify(style)}`);
  const taken: ClassedContract[] = [];
  for (const [index, contract] of contracts.entries()) {
    const read = readContract(contract, symbol, classOf(String(input.symbol).toUpperCase()));
    if (typeof read !== 'string') taken.push(read);
    else tally.note(read, `${where}:${index + 1}`, JSON.stringify(contract) ?? '');
  }
  const price = input.underlyingPrice ?? input.underlying_price;
  const underlyingPrice = typeof price === 'number' ? price : Number.NaN;
  return chainDelivery({ symbol, takenAt, underlyingPrice, style }, taken, calendar);
}

function parsed(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

function readContract(
  input: unknown,
  symbol: string,
  classOfAll: string | null,
): ClassedContract | RefusalReason {
  if (typeof input !== 'object' || input === null) return 'wrong_columns';
  const contract = input as Members;
  const named = typeof contract.symbol === 'string' ? contractSymbol(contract.symbol) : null;
  if (typeof contract.symbol === 'string' && named === null) return 'bad_symbol';
  const root = named?.root ?? classOfAll;
  if (root !== null && isAdjustedRoot(root)) return 'adjusted_contract';
  if ((contract.multiplier ?? STANDARD_MULTIPLIER) !== STANDARD_MULTIPLIER) return 'adjusted_contract';
  if (root !== null && !isRootOf(root, symbol)) return 'bad_symbol';
  const row = {
    expiration: midnightUtc(String(contract.expiration ?? '')),
    strike: numberOf(contract.strike),
    right: rightOf(String(contract.side ?? contract.right ?? '')),
    bid: numberOf(contract.bid),
    ask: numberOf(contract.ask),
    last: numberOf(contract.last),
    volume: numberOf(contract.volume),
    openInterest: numberOf(contract.openInterest ?? contract.open_interest),
    vendorIv: numberOf(contract.iv),
    vendorDelta: numberOf(contract.delta),
    vendorGamma: numberOf(contract.gamma),
  };
  if (Object.values(row).includes(Number.POSITIVE_INFINITY)) return 'not_a_number';
  return { root, row };
}

/** Whether contracts of a root are on a symbol; classes of an index that nobody has told of begin with its name. */
function isRootOf(root: string, symbol: string): boolean {
  if (!isOptionIndex(symbol)) return root === symbol.replace('.', '');
  return indexOfRoot(root) === symbol || (indexOfRoot(root) === root && root.startsWith(symbol.slice(1)));
}

/** NaN for what is not input; infinity, which JSON cannot write, for what is input and is no number. */
function numberOf(value: unknown): number {
  if (value === undefined || value === null) return Number.NaN;
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}
