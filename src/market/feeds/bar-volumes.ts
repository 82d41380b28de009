import { dateOf } from '../../base/dates.ts';
import type { Interval } from '../observations.ts';
import { medianOf } from './bar-clock.ts';
import type { CsvOptions } from './csv-options.ts';
import { type Finding, type NoReading, open, type SampleRow } from './findings.ts';
import type { Known } from './known-bars.ts';
import type { TableHead } from './table-head.ts';

/** What the volumes of a file are: shares of their bar, or something else, of which no share is known. */
export type Volumes = 'shares' | 'unknown';

/** Rows of a day by which a volume of the day so far is told, and by what it has to grow. */
const DAY_ROWS_MIN = 8;
const DAY_GROWTH = 3;
/** Volumes with fractions of which half are less than this are no shares of a bar. */
const FRACTIONS_MEDIAN: Readonly<Record<'day' | 'bar', number>> = { day: 1_000, bar: 10 };
const FRACTIONS_SHARE = 0.5;
/** Two sources of the same days, or of days near each other, differ by less than this. */
const SAME_DAYS = 4;
const NEAR_DAYS = 20;
const COMPARED_MIN = 3;
/** A count of ticks, which some programs write before or in place of the shares. */
const TICKS = /^<?tick_?vol(?:ume)?>?$/i;

const UNKNOWN = 'leave the volumes out (--no-volume), or write shares';

/** What the volumes of a file are; refused where they contradict themselves or the tape. */
export function volumesFinding(
  series: readonly (readonly SampleRow[])[],
  interval: Interval,
  { names }: TableHead,
  knownDays: readonly Known[],
  { noVolume }: CsvOptions,
): Finding<Volumes> | NoReading {
  if (noVolume === true) return { value: 'unknown', evidence: '--no-volume', sure: 'stated' };
  const rows = series.flat();
  const volumes = rows.map(({ volume }) => volume).filter(Number.isFinite);
  if (volumes.every((volume) => volume === 0)) {
    const ticks = names.find((name) => TICKS.test(name.trim()));
    return ticks === undefined
      ? { value: 'shares', evidence: 'none is stated', sure: 'assumed' }
      : { value: 'unknown', evidence: `every volume is 0 beside the ticks of ${ticks}`, sure: 'seen' };
  }
  const daily = interval === '1d';
  const growing = daily ? null : ofDaySoFar(series);
  if (growing !== null) return growing;
  const traded = volumes.filter((volume) => volume > 0);
  const fractions = traded.filter((volume) => !Number.isInteger(volume)).length;
  if (
    fractions > FRACTIONS_SHARE * traded.length &&
    medianOf(traded) < FRACTIONS_MEDIAN[daily ? 'day' : 'bar']
  )
    return open(
      `volumes such as ${traded.find((volume) => !Number.isInteger(volume))} are no shares of a bar, but thousands or millions of them, or units of a token: ${UNKNOWN}`,
    );
  return besideTape(series, daily, knownDays) ?? { value: 'shares', evidence: 'as written', sure: 'assumed' };
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
        `volumes never fall within a day (from ${first} to ${last} on ${dateOf(day[0]!.day)}), as those of the day so far: write those of each bar, or ${UNKNOWN}`,
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
        `on ${dateOf(day)} the file has a volume of ${volume} and the tape ${known}: ticks, thousands or part of the market; ${UNKNOWN}`,
      );
    }
    const [file, tape] = [medianOf([...own.values()]), medianOf([...shares.values()])];
    if (Math.abs(Math.log(file / tape)) > Math.log(NEAR_DAYS))
      return open(
        `volumes of about ${file} a day are far from the ${tape} of the days that the tape has: ticks, thousands or part of the market; ${UNKNOWN}`,
      );
  }
  return null;
}
