import { dateOf } from '../../base/dates.ts';
import type { Known } from '../../market/known-bars.ts';
import { choice } from '../choices.ts';
import { type Finding, type NoReading, open, type SampleRow } from '../findings.ts';
import type { TableHead } from '../table-head.ts';
import { medianOf } from './bar-clock.ts';
import type { CsvOptions, Volumes } from './csv-options.ts';

/** Rows of a day by which a volume of the day so far is told, and by what it has to grow. */
const DAY_ROWS_MIN = 8;
const DAY_GROWTH = 3;
const MOST = 0.5;
/** Volumes with fractions of which half are less than this are no shares of a bar. */
const FEW: Readonly<Record<'day' | 'bar', number>> = { day: 1_000, bar: 10 };
/** With the few decimals of rounded thousands, no stock trades more of those than this. */
const MANY: Readonly<Record<'day' | 'bar', number>> = { day: 1e6, bar: 1e4 };
const DECIMALS_OF_THOUSANDS = 3;
/** The smallest part of a share that brokers sell. */
const DECIMALS_OF_SHARES = 6;
/** Bars of volume 0 in which the price moves, at the least, by which volumes are told to be rounded. */
const MOVED_ROWS_MIN = 5;
const MOVED_ROWS_SHARE = 0.02;
/** Two sources of the same days, or of days near each other, differ by less than this. */
const SAME_DAYS = 4;
const NEAR_DAYS = 20;
const COMPARED_MIN = 3;
/** A count of ticks, which some programs write before or in place of the shares. */
const TICKS = /^<?tick_?vol(?:ume)?>?$/i;
/** What traded on no side of two. */
const THIRD_SIDE =
  /^(?:(?:unchanged|unclassified|unknown|neutral|between|mid|other)[ _]?vol(?:ume)?|unchanged)$/i;

const UNKNOWN = choice('volumes', 'unknown');
const NO_VOLUME = `leave the volumes out (${UNKNOWN})`;
const DECIDES = `${choice('volumes', 'thousands|lots|millions|shares')} decides, or ${UNKNOWN}`;

interface VolumeRows {
  /** As written, in the order of the file. */
  readonly rows: readonly SampleRow[];
  /** Those of each symbol that traded, oldest first. */
  readonly series: readonly (readonly SampleRow[])[];
  /** The same with volumes in shares of their own day. */
  readonly ownShares: readonly (readonly SampleRow[])[];
  readonly isIndex: boolean;
  readonly daily: boolean;
  /** Whether every row says that it has none. */
  readonly areAbsent: boolean;
}

/** What the volumes of a file are; refused where they contradict themselves or the tape. */
export function volumesFinding(
  { rows, series, ownShares, isIndex, daily, areAbsent }: VolumeRows,
  { names, series: columns }: TableHead,
  knownDays: readonly Known[],
  { volumes: stated }: CsvOptions,
): Finding<Volumes> | NoReading {
  if (stated === 'unknown') return { value: stated, evidence: UNKNOWN, sure: 'stated' };
  if (areAbsent && !isIndex) return { value: 'unknown', evidence: 'no row states one', sure: 'seen' };
  const none = noVolumes(rows, names);
  if (none !== null) return none;
  const third = names.find((name) => THIRD_SIDE.test(name.trim()));
  if (third !== undefined && columns[0]!.columnIndex.volume < 0)
    return open(
      `beside volumes of two sides ${third} has a third part: write their sum as Volume, or ${NO_VOLUME}`,
    );
  const growing = daily ? null : ofDaySoFar(series);
  if (growing !== null) return growing;
  // An index beside stocks has volumes of 0 throughout.
  const withVolumes = new Set(rows.filter(({ volume }) => volume > 0).map(({ symbol }) => symbol));
  const traded = rows.filter(({ symbol }) => withVolumes.has(symbol));
  if (stated !== undefined) return statedVolumes(stated, traded);
  return (
    ofFractions(series.flat(), ownShares.flat(), daily) ??
    (movesWithoutVolume(traded) ? roundedAway(traded, DECIDES) : null) ??
    besideTape(ownShares, daily, knownDays) ?? { value: 'shares', evidence: 'as written', sure: 'assumed' }
  );
}

const statedVolumes = (stated: Volumes, traded: readonly SampleRow[]): Finding<Volumes> | NoReading =>
  stated !== 'shares' && movesWithoutVolume(traded)
    ? roundedAway(traded, NO_VOLUME)
    : { value: stated, evidence: choice('volumes'), sure: 'stated' };

/** What it says that no row has a volume; null where one has. */
function noVolumes(rows: readonly SampleRow[], names: readonly string[]): Finding<Volumes> | null {
  const written = rows.map(({ volume }) => volume).filter(Number.isFinite);
  const [none] = written.filter((volume) => volume < 0);
  // One number in place of a volume, as of bars made of quotes; several negative ones are faults of their rows.
  if (none !== undefined && written.every((volume) => volume === none || volume === 0))
    return { value: 'unknown', evidence: `every volume is ${none}, which is none`, sure: 'seen' };
  if (written.some((volume) => volume > 0)) return null;
  const ticks = names.find((name) => TICKS.test(name.trim()));
  return ticks === undefined
    ? { value: 'shares', evidence: 'none is stated', sure: 'assumed' }
    : { value: 'unknown', evidence: `every volume is 0 beside the ticks of ${ticks}`, sure: 'seen' };
}

/** Volumes with fractions that are no shares; null where they may be. */
function ofFractions(
  written: readonly SampleRow[],
  own: readonly SampleRow[],
  daily: boolean,
): NoReading | null {
  // Volumes that are adjusted for a split are whole in the shares of their own day, and those that are not as written.
  const volumes = written.flatMap(({ volume }, at) =>
    volume > 0 ? [{ volume, decimals: Math.min(decimalsOf(volume), decimalsOf(own[at]!.volume)) }] : [],
  );
  const fractions = volumes.filter(({ decimals }) => decimals > 0);
  if (fractions.length <= MOST * volumes.length) return null;
  const [median, length] = [medianOf(volumes.map(({ volume }) => volume)), daily ? 'day' : 'bar'] as const;
  const share = (fits: (decimals: number) => boolean): number =>
    fractions.filter(({ decimals }) => fits(decimals)).length / fractions.length;
  const isRounded = share((decimals) => decimals <= DECIMALS_OF_THOUSANDS) === 1 && median < MANY[length];
  const isToken = share((decimals) => decimals > DECIMALS_OF_SHARES) > MOST;
  return median < FEW[length] || isRounded || isToken
    ? open(
        `volumes such as ${Number(fractions[0]!.volume.toPrecision(12))} are no whole shares, but thousands, lots or millions of them, or units of a token: ${DECIDES}`,
      )
    : null;
}

/** Decimals of a volume, but for the dust of a division. */
function decimalsOf(volume: number): number {
  const dust = volume * 1e-14;
  for (let decimals = 0; decimals <= DECIMALS_OF_SHARES; decimals++)
    if (Math.abs(volume - Number(volume.toFixed(decimals))) <= dust) return decimals;
  return DECIMALS_OF_SHARES + 1;
}

/** Bars of volume 0 from one price to another: they traded, and their volume is rounded to nothing. */
const movedRows = (rows: readonly SampleRow[]): SampleRow[] =>
  rows.filter(({ volume, open: first, close }) => volume === 0 && first > 0 && close > 0 && first !== close);

function movesWithoutVolume(rows: readonly SampleRow[]): boolean {
  const zeros = rows.filter(({ volume }) => volume === 0).length;
  return movedRows(rows).length >= Math.max(MOVED_ROWS_MIN, MOVED_ROWS_SHARE * rows.length, MOST * zeros);
}

function roundedAway(rows: readonly SampleRow[], decides: string): NoReading {
  const [{ day, open: first, close }] = movedRows(rows) as [SampleRow];
  return open(
    `bars of volume 0 go from one price to another (${first} to ${close} on ${dateOf(day)}), as where thousands or lots are rounded: ${decides}`,
  );
}

/** Volumes that never fall within a day are those of the day so far. */
function ofDaySoFar(series: readonly (readonly SampleRow[])[]): NoReading | null {
  let example: NoReading | null = null;
  for (const rows of series) {
    // Pieces of the sample may hold a row twice, and cut a day, which then begins with what was traded before.
    const whole = new Map(rows.filter(({ isWhole }) => isWhole).map((row) => [row.time, row])).values();
    for (const day of Map.groupBy(whole, (row) => row.day).values()) {
      const volumes = day.map(({ volume }) => volume);
      if (volumes.length < DAY_ROWS_MIN) continue;
      const [first, last] = [volumes[0]!, volumes.at(-1)!];
      const rises = volumes.slice(1).filter((volume, at) => volume > volumes[at]!).length;
      const falls = volumes.slice(1).some((volume, at) => !(volume >= volumes[at]!));
      if (falls) return null;
      // A day that the file begins late has grown already: it shows nothing.
      if (last < DAY_GROWTH * first || rises < volumes.length / 3) continue;
      example ??= open(
        `volumes never fall within a day (from ${first} to ${last} on ${dateOf(day[0]!.day)}), as those of the day so far: write those of each bar, or ${NO_VOLUME}`,
      );
    }
  }
  return example;
}

/** Volumes of days far from those that the tape has of the same days, or of days beside them; null where they agree. */
function besideTape(
  series: readonly (readonly SampleRow[])[],
  daily: boolean,
  knownDays: readonly Known[],
): NoReading | null {
  for (const [place, known] of knownDays.entries()) {
    const shares = new Map(
      Array.from(known.bars.time, (time, row) => [time, known.bars.volume[row]!] as const).filter(
        ([, volume]) => volume > 0,
      ),
    );
    const own = new Map<number, number>();
    for (const { day, volume, isWhole } of series[place]!)
      if (volume > 0 && (daily || isWhole)) own.set(day, (own.get(day) ?? 0) + volume);
    if (shares.size < COMPARED_MIN || own.size === 0) continue;
    const both = [...own].flatMap(([day, volume]) =>
      shares.has(day) ? [{ day, volume, known: shares.get(day)! }] : [],
    );
    if (both.length > 0) {
      const far = both.filter(
        ({ volume, known }) => Math.abs(Math.log(volume / known)) > Math.log(SAME_DAYS),
      );
      if (far.length * 2 <= both.length) continue;
      const { day, volume, known } = far[0]!;
      return open(
        `on ${dateOf(day)} the file has a volume of ${volume} and the tape ${known}: ticks, thousands, lots or part of the market: ${DECIDES}`,
      );
    }
    const [file, tape] = [medianOf([...own.values()]), medianOf([...shares.values()])];
    if (Math.abs(Math.log(file / tape)) > Math.log(NEAR_DAYS))
      return open(
        `volumes of about ${file} a day are far from the ${tape} of the days that the tape has: ticks, thousands, lots or part of the market: ${DECIDES}`,
      );
  }
  return null;
}
