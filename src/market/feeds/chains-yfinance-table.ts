import { midnightUtc } from '../../base/dates.ts';
import { indexOfRoot } from '../../base/symbols.ts';
import type { Delivery } from '../feed.ts';
import type { RefusalReason } from '../refusals.ts';
import type { TextFile } from './archive.ts';
import { lineReader } from './lines.ts';
import type { RefusalTally } from './refusal-tally.ts';
import {
  type Cells,
  cellsOf,
  chainDelivery,
  delimiterOf,
  headerNames,
  instantOf,
  rightOf,
} from './chains-chain-table.ts';
import { ClassedContracts } from './chains-classed-contracts.ts';
import { contractSymbol, isAdjustedRoot, styleOf } from './chains-contract-symbol.ts';

/** Whether header names are those of such a table. */
export const isYfinanceHeader = (names: readonly string[]): boolean =>
  ['contractsymbol', 'lasttradedate', 'strike', 'bid', 'ask', 'expirationdate', 'optiontype'].every((name) =>
    names.includes(name),
  );

/** Yahoo's option quotes are so much behind the market, so that the table was written at least that much later. */
const DELAY_MS = 900_000;

interface Gathered {
  readonly contracts: ClassedContracts;
  newestTrade: number;
  underlyingPrice: number;
}

/**
 * Chains as yfinance writes them, one row a contract with the price of the underlying. The table does not say when it was
 * taken: that is not before its newest trade, and its quotes were delayed, so the chain counts from a quarter of an hour
 * after that trade.
 */
export async function* yfinanceTable(file: TextFile, tally: RefusalTally): AsyncGenerator<Delivery> {
  const { where } = file;
  const chains = new Map<string, Gathered>();
  let cells: Cells | null = null;
  const lines = lineReader(
    (bytes, start, end, line) => {
      if (cells === null) {
        const header = Buffer.from(bytes.subarray(start, end)).toString('utf8');
        cells = cellsOf(headerNames(header), delimiterOf(header));
        return;
      }
      const reason = cells.scan(bytes, start, end) ? take(cells, chains) : 'wrong_columns';
      if (reason !== null) tally.row(reason, where, line, bytes, start, end);
    },
    (line, text) => tally.note('too_large', `${where}:${line}`, text),
  );
  for await (const chunk of file.chunks()) lines.push(chunk);
  lines.end();
  for (const [symbol, { contracts, newestTrade, underlyingPrice }] of chains) {
    const takenAt = newestTrade + DELAY_MS;
    yield chainDelivery({ symbol, takenAt, underlyingPrice, style: styleOf(symbol) }, contracts);
  }
}

function take(cells: Cells, chains: Map<string, Gathered>): RefusalReason | null {
  const contract = contractSymbol(cells.text('contractsymbol'));
  if (contract === null) return 'bad_symbol';
  const size = cells.text('contractsize');
  if (isAdjustedRoot(contract.root) || (size !== '' && size !== 'REGULAR')) return 'adjusted_contract';
  const tradedAt = instantOf(cells.text('lasttradedate'));
  if (Number.isNaN(tradedAt)) return 'bad_time';
  const row = {
    expiration: midnightUtc(cells.text('expirationdate')),
    strike: cells.number('strike'),
    right: rightOf(cells.text('optiontype')),
    bid: cells.number('bid'),
    ask: cells.number('ask'),
    last: cells.number('lastprice'),
    volume: cells.number('volume'),
    openInterest: cells.number('openinterest'),
    vendorIv: cells.number('impliedvolatility'),
    vendorDelta: Number.NaN,
    vendorGamma: Number.NaN,
  };
  const underlyingPrice = cells.number('underlyingprice');
  if (cells.isBroken) return 'not_a_number';
  const underlying = indexOfRoot(contract.root);
  const chain = chains.getOrInsertComputed(underlying, () => ({
    contracts: new ClassedContracts(underlying),
    newestTrade: tradedAt,
    underlyingPrice,
  }));
  chain.newestTrade = Math.max(chain.newestTrade, tradedAt);
  chain.contracts.add(contract.root, row);
  return null;
}
