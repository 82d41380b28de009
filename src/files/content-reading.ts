import type { Calendar } from '../base/calendar.ts';
import { Admission, type Admitted } from '../market/admit.ts';
import type { ContractColumns, OptionChain } from '../market/chains.ts';
import type { AnyFact } from '../market/facts.ts';
import type { Delivery } from '../market/feed.ts';
import { REFUSALS, type RefusalTally, type Refused, refusalTally, refusedFile } from '../market/refusals.ts';
import type { TextFile } from './archive.ts';
import { choice } from './choices.ts';
import type { Finding } from './findings.ts';
import { damageSeen, isJson, parsedJson } from './json.ts';
import { beginningOf } from './source-file.ts';

/** Bytes of a table or of lines; an answer in JSON is read whole, since its end may hold what its contracts share. */
const SAMPLE_BYTES = 2 ** 20;
const NEWLINE = 10;
const SYMBOLS_SHOWN = 5;

/** How a file of chains, volatility, facts or companies is read. */
export interface ContentReading {
  readonly what: string;
  readonly parts: Readonly<Record<string, Finding>>;
}

/** Who says what the rows do not. */
export interface Origin {
  /** Columns or members that have the instants. */
  readonly times: string;
  /** What names the symbols. */
  readonly symbols: string;
  /** Of the chains without an instant, epoch milliseconds. */
  readonly asOf?: number | undefined;
  readonly source?: string | undefined;
}

/**
 * Reads the beginning of a file as its import would, and says what would be kept and what left out.
 *
 * @param rows the reader of the import
 */
export async function contentReading(
  what: string,
  file: TextFile,
  rows: (file: TextFile, tally: RefusalTally, isWhole: boolean) => AsyncIterable<Delivery>,
  calendar: Calendar,
  origin: (file: TextFile) => Promise<Origin>,
): Promise<ContentReading | Refused> {
  const tally = refusalTally();
  const admission = new Admission(calendar);
  const admitted: Admitted[] = [];
  try {
    const { sample, isWhole } = await sampleOf(file);
    for await (const delivery of rows(sample, tally, isWhole)) {
      const one = admission.admit(delivery, file.where);
      if (one !== null) admitted.push(one);
    }
    for (const refused of tally.refusals()) admission.admit(refused, refused.where);
    const refused = admission.refused;
    if (admitted.length === 0 && refused[0] !== undefined) return refused[0];
    const said = await origin(file);
    return { what, parts: { ...partsOf(admitted, said, isWhole), ...leftOut(refused) } };
  } catch (error) {
    return refusedFile('broken_archive', file.where, damageSeen(error));
  }
}

/** The deliveries of a file, or that it has none: a head alone is no success. */
export async function* orNothing(
  file: TextFile,
  tally: RefusalTally,
  deliveries: AsyncIterable<Delivery>,
): AsyncGenerator<Delivery> {
  let isSilent = true;
  for await (const delivery of deliveries) {
    isSilent = false;
    yield delivery;
  }
  if (isSilent && tally.refusals().length === 0)
    yield refusedFile('missing_value', file.where, 'there is nothing below its head: download it again');
}

/** The whole lines of a beginning, or the whole file where it is one JSON value. */
export async function sampleOf(file: TextFile): Promise<{ sample: TextFile; isWhole: boolean }> {
  const beginning = await beginningOf(file);
  const isOneValue = isJson(beginning) && parsedJson(beginning.split('\n', 1)[0]!) === undefined;
  if (isOneValue) return { sample: file, isWhole: true };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.chunks()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > SAMPLE_BYTES) break;
  }
  const bytes = Buffer.concat(chunks);
  const isWhole = length <= SAMPLE_BYTES;
  const end = isWhole ? length : bytes.lastIndexOf(NEWLINE, SAMPLE_BYTES - 1) + 1;
  const sample: TextFile = {
    ...file,
    async *chunks() {
      yield bytes.subarray(0, end);
    },
  };
  return { sample, isWhole };
}

function partsOf(
  admitted: readonly Admitted[],
  { times, symbols, asOf, source }: Origin,
  isWhole: boolean,
): Record<string, Finding> {
  const chains = admitted.flatMap((one) => (one.kind === 'chain' ? [one.chain] : []));
  const facts = admitted.flatMap((one) => (one.kind === 'facts' ? one.facts : []));
  const days = admitted.flatMap((one) => ('columns' in one ? [...one.columns.time!] : []));
  const named = new Set(admitted.map((one) => (one.kind === 'chain' ? one.chain.symbol : one.symbol)));
  const seen = (value: string, evidence: string): Finding => ({ value, evidence, sure: 'seen' });
  const extent = isWhole ? 'the whole file' : 'its first 1 MiB; more follows';
  const spanned = (instants: readonly number[], characters: 10 | 19): string =>
    `${between(instants, characters)}${isWhole ? '' : ' at least'}`;
  return {
    ...(source !== undefined && { layout: seen(source, 'names of its columns or members') }),
    symbol: seen(listed([...named]), symbols),
    ...(chains.length > 0 && chainParts(chains, times, asOf, extent, spanned)),
    ...(facts.length > 0 && factParts(facts, times, extent, spanned)),
    ...(days.length > 0 && {
      range: seen(spanned(days, 10), times),
      rows: seen(String(days.length), extent),
    }),
    currency: { value: 'USD', evidence: 'the file names no other', sure: 'assumed' },
  };
}

function chainParts(
  chains: readonly OptionChain[],
  times: string,
  asOf: number | undefined,
  extent: string,
  spanned: typeof between,
): Record<string, Finding> {
  const taken = chains.map(({ takenAt }) => takenAt);
  const isStated = taken.every((instant) => instant === asOf);
  const contracts = chains.reduce((sum, { contracts: { strike } }) => sum + strike.length, 0);
  const expirations = new Set(chains.flatMap(({ contracts: { expiration } }) => [...expiration]));
  const figures = (columns: readonly (readonly [string, keyof ContractColumns])[]): string =>
    columns.map(([name, column]) => `${name} ${shareOf(chains, column, contracts)}`).join(', ');
  const prices = chains.filter(({ underlyingPrice }) => !Number.isNaN(underlyingPrice));
  const chainCount = chains.length === 1 ? '' : ` in ${chains.length} chains`;
  return {
    taken: {
      value: spanned(taken, 19),
      evidence: isStated ? choice('as_of') : times,
      sure: isStated ? 'stated' : 'seen',
    },
    price:
      prices.length === 0
        ? { value: 'none', evidence: 'the file has no price of the underlying', sure: 'seen' }
        : {
            value: String(prices[0]!.underlyingPrice),
            evidence: `of the underlying${chainCount}`,
            sure: 'seen',
          },
    contracts: {
      value: `${contracts}${chainCount}`,
      evidence: `${expirations.size === 1 ? 'one expiration' : `${expirations.size} expirations`}, ${extent}`,
      sure: 'seen',
    },
    greeks: {
      value: figures([
        ['IV', 'vendorIv'],
        ['delta', 'vendorDelta'],
        ['gamma', 'vendorGamma'],
      ]),
      evidence: `of ${contracts} contracts`,
      sure: 'seen',
    },
    interest: {
      value: figures([
        ['volume', 'volume'],
        ['open interest', 'openInterest'],
      ]),
      evidence: `of ${contracts} contracts`,
      sure: 'seen',
    },
  };
}

/** Of how many contracts a figure is known. */
function shareOf(chains: readonly OptionChain[], column: keyof ContractColumns, contracts: number): string {
  const known = chains.reduce(
    (sum, chain) =>
      sum + chain.contracts[column].reduce((own, value) => own + (Number.isNaN(value) ? 0 : 1), 0),
    0,
  );
  return known === contracts ? 'of all' : known === 0 ? 'of none' : `of ${known}`;
}

function factParts(
  facts: readonly AnyFact[],
  times: string,
  extent: string,
  spanned: typeof between,
): Record<string, Finding> {
  const kinds = Map.groupBy(facts, ({ kind }) => kind);
  return {
    facts: {
      value: Array.from(kinds, ([kind, own]) => `${own.length} ${kind}`).join(', '),
      evidence: extent,
      sure: 'seen',
    },
    known: {
      value: spanned(
        facts.map(({ knownAt }) => knownAt),
        19,
      ),
      evidence: times,
      sure: 'seen',
    },
  };
}

/** What of the rows is not going to be kept, and which values are absent. */
function leftOut(refused: readonly Refused[]): Record<string, Finding> {
  const said = (part: string, of: readonly Refused[]): Record<string, Finding> =>
    of.length === 0
      ? {}
      : {
          [part]: {
            value: String(of.reduce((sum, { count }) => sum + count, 0)),
            evidence: of
              .map(
                ({ count, reason, where, example }) =>
                  `${count} ${reason}: ${REFUSALS[reason]}, first at ${where}: ${example}`,
              )
              .join('; '),
            sure: 'seen',
          },
        };
  const isRepair = ({ reason }: Refused): boolean => reason === 'repaired';
  return {
    ...said(
      'left_out',
      refused.filter((one) => !isRepair(one)),
    ),
    ...said('absent', refused.filter(isRepair)),
  };
}

const listed = (names: readonly string[]): string =>
  names.length <= SYMBOLS_SHOWN
    ? names.join(', ')
    : `${names.slice(0, SYMBOLS_SHOWN).join(', ')} and ${names.length - SYMBOLS_SHOWN} more`;

function between(instants: readonly number[], characters: 10 | 19): string {
  const text = (instant: number): string =>
    `${new Date(instant).toISOString().slice(0, characters)}${characters === 10 ? '' : 'Z'}`;
  const first = instants.reduce((least, instant) => Math.min(least, instant));
  const last = instants.reduce((most, instant) => Math.max(most, instant));
  return first === last ? text(first) : `${text(first)} to ${text(last)}`;
}
