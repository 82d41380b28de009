import { midnightUtc } from '../../base/dates.ts';
import { indexOfRoot } from '../../base/symbols.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { type RefusalTally, refusedFile } from './refusal-tally.ts';
import { wholeText } from './source-file.ts';
import { pricedTickerOf } from './fields.ts';
import {
  chainDelivery,
  ClassedContracts,
  contractSymbol,
  instantOf,
  isAdjustedRoot,
  rightOf,
  styleOf,
} from './chains-contracts.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';

/** A chain of 5,000 contracts has 2 MB; this is sixty times the fullest one. */
const CHAIN_BYTES_MAX = 128 * 2 ** 20;

type Members = Readonly<Record<string, unknown>>;

/**
 * One chain as an object: `symbol`, `updated` or `taken_at`, `underlyingPrice` or `underlying_price`, `style`, and
 * `quotes` or `contracts`, an array with an object for each contract; see `docs/data-formats.md`. What a contract leaves
 * out or sets to null is not known.
 */
export async function* chainJson(file: TextFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const { where } = file;
  const text = await wholeText(file, CHAIN_BYTES_MAX);
  if (text === null) {
    yield refusedFile('too_large', where, `a chain of more than ${CHAIN_BYTES_MAX} bytes`);
    return;
  }
  const told = parsed(text);
  if (told === null) {
    yield refusedFile('unknown_format', where, 'the file is no JSON object');
    return;
  }
  const contracts = told.quotes ?? told.contracts;
  if (!Array.isArray(contracts)) {
    yield refusedFile('unknown_format', where, 'the object has no array of quotes or contracts');
    return;
  }
  const symbol = pricedTickerOf(String(told.symbol ?? ''));
  if (symbol === null) {
    yield refusedFile('bad_symbol', where, `symbol ${String(told.symbol)}`);
    return;
  }
  const written = told.updated ?? told.taken_at;
  const takenAt = typeof written === 'string' ? instantOf(written) : Number.NaN;
  if (Number.isNaN(takenAt)) {
    yield refusedFile('bad_time', where, `no instant with its zone in ${JSON.stringify(written ?? null)}`);
    return;
  }
  const style = told.style ?? styleOf(symbol);
  if (style !== 'american' && style !== 'european') {
    yield refusedFile('bad_word', where, `style ${JSON.stringify(style)}`);
    return;
  }
  const gathered = new ClassedContracts(symbol);
  for (const [index, contract] of contracts.entries()) {
    const reason = takeContract(contract, symbol, gathered);
    if (reason !== null) tally.note(reason, `${where}:${index + 1}`, JSON.stringify(contract) ?? '');
  }
  const price = told.underlyingPrice ?? told.underlying_price;
  const underlyingPrice = typeof price === 'number' ? price : Number.NaN;
  yield chainDelivery({ symbol, takenAt, underlyingPrice, style }, gathered);
}

function parsed(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

function takeContract(told: unknown, symbol: string, gathered: ClassedContracts): RefusalReason | null {
  if (typeof told !== 'object' || told === null) return 'wrong_columns';
  const contract = told as Members;
  const named = typeof contract.symbol === 'string' ? contractSymbol(contract.symbol) : null;
  if (typeof contract.symbol === 'string' && named === null) return 'bad_symbol';
  const root = named?.root ?? symbol;
  if (isAdjustedRoot(root)) return 'adjusted_contract';
  if ((contract.multiplier ?? STANDARD_MULTIPLIER) !== STANDARD_MULTIPLIER) return 'adjusted_contract';
  if (indexOfRoot(root) !== symbol && root !== symbol.replace('.', '')) return 'bad_symbol';
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
  gathered.add(root, row);
  return null;
}

/** NaN for what is not told; infinity, which JSON cannot write, for what is told and is no number. */
function numberOf(value: unknown): number {
  if (value === undefined || value === null) return Number.NaN;
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}
