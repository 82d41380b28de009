import { midnightUtc } from '../../base/dates.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { lineReader } from './lines.ts';
import { type RefusalTally, refusedFile } from './refusal-tally.ts';
import { pricedTickerOf } from './ticker.ts';
import {
  type Cells,
  type ChainHead,
  cellsOf,
  chainDelivery,
  delimiterOf,
  headerNames,
  instantOf,
  rightOf,
} from './chains-chain-table.ts';
import { ClassedContracts } from './chains-classed-contracts.ts';
import { styleOf } from './chains-contract-symbol.ts';
import { STANDARD_MULTIPLIER } from '../validate-chain.ts';

const REQUIRED = ['symbol', 'taken_at', 'expiration', 'strike', 'right'] as const;
const ALLOWED: ReadonlySet<string> = new Set([
  ...REQUIRED,
  'underlying_price',
  'style',
  'multiplier',
  'bid',
  'ask',
  'last',
  'volume',
  'open_interest',
  'iv',
  'delta',
  'gamma',
]);
/** Chains of one file that are remembered, so that a chain which is told in two places is noticed. */
const CHAINS_MAX = 100_000;

/** Whether header names are those of such a table. */
export const isContractHeader = (names: readonly string[]): boolean =>
  names.includes('taken_at') && names.includes('strike');

/**
 * The layout for chains of one's own: a header, then one row a contract; see `docs/data-formats.md`. The rows of a chain
 * (of one symbol and instant) follow each other, so that a file of many is never held whole.
 */
export async function* contractTable(file: TextFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const { where } = file;
  const seen = new Set<string>();
  let cells: Cells | null = null;
  let fault: string | null = null;
  let chain: { key: string; head: ChainHead; contracts: ClassedContracts } | null = null;
  let finished: Delivery[] = [];
  const finish = (): void => {
    if (chain !== null && chain.contracts.rows > 0) finished.push(chainDelivery(chain.head, chain.contracts));
    chain = null;
  };
  const take = (of: Cells): RefusalReason | null => {
    const head = headIn(of);
    if (typeof head === 'string') return head;
    const key = `${head.symbol} ${head.takenAt}`;
    if (chain?.key !== key) {
      if (seen.has(key)) return 'out_of_order';
      if (seen.size === CHAINS_MAX) return 'too_large';
      finish();
      seen.add(key);
      chain = { key, head, contracts: new ClassedContracts(head.symbol) };
    }
    return takeContract(of, chain.contracts);
  };
  const lines = lineReader(
    (bytes, start, end, line) => {
      if (fault !== null) return;
      if (cells === null) {
        const header = Buffer.from(bytes.subarray(start, end)).toString('utf8');
        const names = headerNames(header);
        fault = headerFault(names);
        cells = cellsOf(names, delimiterOf(header));
        return;
      }
      const reason = cells.scan(bytes, start, end) ? take(cells) : 'wrong_columns';
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    },
    (line, text) => tally.note('too_large', `${where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) {
    lines.push(chunk);
    yield* finished;
    finished = [];
    if (fault !== null) break;
  }
  lines.end();
  finish();
  yield* finished;
  if (fault !== null) yield refusedFile('wrong_columns', where, fault);
}

function headerFault(names: readonly string[]): string | null {
  const stranger = names.find((name) => !ALLOWED.has(name));
  if (stranger !== undefined) return `no field is called "${stranger}"`;
  if (new Set(names).size < names.length) return 'a column is named twice';
  const missing = REQUIRED.find((name) => !names.includes(name));
  return missing === undefined ? null : `no column for ${missing}`;
}

function headIn(cells: Cells): ChainHead | RefusalReason {
  const symbol = pricedTickerOf(cells.text('symbol'));
  if (symbol === null) return 'bad_symbol';
  const takenAt = instantOf(cells.text('taken_at'));
  if (Number.isNaN(takenAt)) return 'bad_time';
  const style = cells.text('style') || styleOf(symbol);
  if (style !== 'american' && style !== 'european') return 'bad_word';
  return { symbol, takenAt, underlyingPrice: cells.number('underlying_price'), style };
}

function takeContract(cells: Cells, contracts: ClassedContracts): RefusalReason | null {
  const row = {
    expiration: midnightUtc(cells.text('expiration')),
    strike: cells.number('strike'),
    right: rightOf(cells.text('right')),
    bid: cells.number('bid'),
    ask: cells.number('ask'),
    last: cells.number('last'),
    volume: cells.number('volume'),
    openInterest: cells.number('open_interest'),
    vendorIv: cells.number('iv'),
    vendorDelta: cells.number('delta'),
    vendorGamma: cells.number('gamma'),
  };
  const multiplier = cells.number('multiplier');
  if (cells.isBroken) return 'not_a_number';
  if (!Number.isNaN(multiplier) && multiplier !== STANDARD_MULTIPLIER) return 'adjusted_contract';
  // One table has one class; what an index calls its classes is for the file that names each contract.
  contracts.add('', row);
  return null;
}
