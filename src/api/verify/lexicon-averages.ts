import type { Measure } from './lexicon-measure.ts';

const SPOKEN: Readonly<Record<number, string>> = { 9: 'nine', 20: 'twenty', 50: 'fifty', 200: 'two hundred' };
const PERIODS = ['day', 'session', 'period', 'd'];
const SIMPLE = ['sma', 'simple moving average', 'simple average'];
const EXPONENTIAL = ['ema', 'exponential moving average', 'exponential average'];
const PLAIN = ['average', 'moving average', 'avg', 'ma', 'mean'];

/** The simple average of so many sessions; without another word an average is simple. */
export const simple = (sessions: number, others: readonly string[] = []): Measure => ({
  name: `${sessions}-day average`,
  facts: [`technical.moving_averages.sma_${sessions}`, ...others],
  phrases: [...phrasesOf(sessions, SIMPLE), ...plainPhrases(sessions)],
  trait: 'level',
});

/** The exponential average of so many sessions, of nine also where it is only called an average. */
export const exponential = (sessions: number): Measure => ({
  name: `${sessions}-day exponential average`,
  facts: [`technical.moving_averages.ema_${sessions}`],
  phrases: [...phrasesOf(sessions, EXPONENTIAL), ...(sessions === 9 ? plainPhrases(sessions) : [])],
  trait: 'level',
});

/** `50-day SMA`, `fifty-session simple moving average`, `SMA50`. */
function phrasesOf(sessions: number, kinds: readonly string[]): string[] {
  const windows = countsOf(sessions).flatMap((count) => [
    count,
    ...PERIODS.map((period) => `${count} ${period}`),
  ]);
  return kinds.flatMap((kind) => [`${kind} ${sessions}`, ...windows.map((window) => `${window} ${kind}`)]);
}

/** `50-day average`, `50 DMA`, `the fifty-session one`. */
function plainPhrases(sessions: number): string[] {
  const windows = countsOf(sessions).flatMap((count) => PERIODS.map((period) => `${count} ${period}`));
  return [
    ...windows.flatMap((window) => PLAIN.map((noun) => `${window} ${noun}`)),
    ...countsOf(sessions).flatMap((count) => [`${count} day`, `${count} session`, `${count} dma`]),
    `ma ${sessions}`,
    `${sessions} ma`,
    `dma ${sessions}`,
  ];
}

const countsOf = (sessions: number): string[] => [`${sessions}`, SPOKEN[sessions]!];
