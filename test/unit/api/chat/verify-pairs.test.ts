import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../../src/texts/verify/index.ts';
import { groundOf, type SpokenStock, STOCKS } from '../../../support/verify-stocks.ts';

/**
 * Sentences in pairs, one true and one false, of six stocks: no true one is refuted and no false one borne out, whatever is
 * left unknown.
 */

type Pair = (stock: SpokenStock) => readonly [truth: string, falsehood: string];

const size = (value: number): number => Math.abs(value);
const usd = (value: number): string => `$${value.toFixed(2)}`;
/** Of two words the one that a sign asks for, and the other. */
const both = (isFirst: boolean, one: string, other: string): [string, string] =>
  isFirst ? [one, other] : [other, one];
const pairOf = (
  words: readonly [string, string],
  write: (word: string) => string,
): readonly [string, string] => [write(words[0]), write(words[1])];
const up = ({ changePct }: SpokenStock): boolean => changePct > 0;
const distance = (price: number, of: number): number => Number(((price / of - 1) * 100).toFixed(1));

const PAIRS: Readonly<Record<string, Pair>> = {
  'from the previous close': (s) =>
    pairOf(
      both(up(s), 'gained', 'lost'),
      (word) => `The stock ${word} ${size(s.changePct)}% from the previous close of ${usd(s.previousClose)}.`,
    ),
  'a wrong previous close': (s) => [
    `${s.symbol} moved ${size(s.changePct)}% from the previous close of ${usd(s.previousClose)}.`,
    `${s.symbol} moved from the previous close of ${usd(s.previousClose * 1.04)}.`,
  ],
  'from one price to another': (s) =>
    pairOf(
      both(up(s), 'rose', 'fell'),
      (word) => `The stock ${word} from ${usd(s.previousClose)} to ${usd(s.close)}.`,
    ),
  'opened higher': (s) =>
    pairOf(both(s.gapPct > 0, 'higher', 'lower'), (word) => `${s.symbol} opened ${size(s.gapPct)}% ${word}.`),
  'gapped up': (s) =>
    pairOf(both(s.gapPct > 0, 'up', 'down'), (word) => `It gapped ${word} ${size(s.gapPct)}% at the open.`),
  'a gap of another size': (s) => [
    `The gap was ${s.gapPct}%.`,
    `The gap was ${(s.gapPct * 1.5 + 0.4).toFixed(2)}%.`,
  ],
  'beat or missed': (s) =>
    pairOf(
      both(s.surprisePct > 0, 'beat', 'missed'),
      (word) => `${s.symbol} ${word} estimates by ${size(s.surprisePct)}%.`,
    ),
  'an earnings surprise with its sign': (s) => [
    `The earnings surprise was ${s.surprisePct}%.`,
    `The earnings surprise was ${-s.surprisePct}%.`,
  ],
  'MACD with its sign': (s) => [`MACD is ${s.macd}.`, `MACD is ${-s.macd}.`],
  'MACD in words': (s) =>
    pairOf(both(s.macd > 0, 'positive', 'negative'), (word) => `MACD is ${word} at ${s.macd}.`),
  'a range of the day': (s) => [
    `It ranged between ${s.low.toFixed(2)} and ${s.high.toFixed(2)}.`,
    `It ranged between ${(s.low * 0.985).toFixed(2)} and ${s.high.toFixed(2)}.`,
  ],
  'traded between': (s) => [
    `Today it traded between ${usd(s.low)} and ${usd(s.high)}.`,
    `Today it traded between ${usd(s.low)} and ${usd(s.high * 1.02)}.`,
  ],
  'a side of the 200-day average': (s) =>
    pairOf(
      both(s.close > s.sma200, 'above', 'below'),
      (word) => `${s.symbol} trades ${word} its 200-day average of ${s.sma200}.`,
    ),
  'a side of the 50-day average': (s) =>
    pairOf(
      both(s.close > s.sma50, 'above', 'below'),
      (word) => `The price is ${word} the 50-day average (${s.sma50}).`,
    ),
  'a distance to an average': (s) =>
    pairOf(
      both(s.close > s.sma200, 'above', 'below'),
      (word) => `The price is ${size(distance(s.close, s.sma200))}% ${word} the 200-day average.`,
    ),
  'a side of VWAP': (s) =>
    pairOf(both(s.close > s.vwap, 'above', 'below'), (word) => `It closed ${word} VWAP at ${s.vwap}.`),
  'averages against each other': (s) =>
    pairOf(
      both(s.sma50 > s.sma200, 'above', 'below'),
      (word) => `The 50-day average is ${word} the 200-day average of ${s.sma200}.`,
    ),
  'MACD against its signal': (s) =>
    pairOf(
      both(s.macd > s.macdSignal, 'above', 'below'),
      (word) => `MACD is ${word} its signal line of ${s.macdSignal}.`,
    ),
  'days to earnings': (s) => [
    `Earnings are due in ${s.daysToEarnings} days.`,
    `Earnings are due in ${s.daysToEarnings + 14} days.`,
  ],
  'due in': (s) => [
    `The report is due in ${s.daysToEarnings} days.`,
    `Results are due in ${s.daysToEarnings + 5} days.`,
  ],
  'a level of an indicator': (s) => [`RSI is ${s.rsi}.`, `RSI is ${(s.rsi + 8).toFixed(1)}.`],
  'a bound': (s) => [`RSI is above ${Math.floor(s.rsi) - 4}.`, `RSI is below ${Math.floor(s.rsi) - 4}.`],
  'a bound close by': (s) => [`RSI is below ${Math.ceil(s.rsi)}.`, `RSI is above ${Math.ceil(s.rsi)}.`],
  'a denial': (s) => [`RSI is not ${(s.rsi + 9).toFixed(1)}.`, `RSI is not ${s.rsi}.`],
  'another stock that is listed': (s) => [
    `MSFX has an RSI of ${(s.rsi + 7).toFixed(1)}.`,
    `MSFX trades at ${usd(s.close)}.`,
  ],
  'another stock that is not': (s) => [
    `QZZT trades at ${usd(s.close * 1.3)}.`,
    `QZZT trades at ${usd(s.close)}.`,
  ],
  'the figure of another stock': (s) => [`QZZT's P/E is ${(s.pe + 6).toFixed(1)}.`, `QZZT's P/E is ${s.pe}.`],
  'another company by name': (s) => [
    `Microsoft gained ${(size(s.changePct) + 1.3).toFixed(2)}% today.`,
    `Microsoft's RSI is ${s.rsi}.`,
  ],
  'another time': (s) => [`A month ago RSI was ${(s.rsi - 11).toFixed(1)}.`, `A month ago RSI was ${s.rsi}.`],
  'closed higher': (s) =>
    pairOf(both(up(s), 'higher', 'lower'), (word) => `${s.symbol} closed ${word} at ${usd(s.close)}.`),
  'moved over the day': (s) =>
    pairOf(both(up(s), 'up', 'down'), (word) => `${s.symbol} is ${word} ${size(s.changePct)}% today.`),
  'a move as a noun': (s) =>
    pairOf(both(up(s), 'gain', 'loss'), (word) => `A ${size(s.changePct)}% ${word} on the day.`),
  'a straight run': (s) =>
    pairOf(
      both(s.beats > 0, 'beats', 'misses'),
      (word) => `That makes ${Math.max(s.beats, s.misses)} consecutive ${word}.`,
    ),
  'revenue in words': (s) =>
    pairOf(both(s.revenueGrowth > 0, 'rose', 'fell'), (word) => `Revenue ${word} ${size(s.revenueGrowth)}%.`),
  'a score with its sign': (s) => [`The net score is ${s.netScore}.`, `The net score is ${-s.netScore}.`],
  'levels that change places': (s) => [
    `The nearest support is ${s.support} and the nearest resistance ${s.resistance}.`,
    `The nearest support is ${s.resistance} and the nearest resistance ${s.support}.`,
  ],
  'upside or downside': (s) =>
    pairOf(
      both(s.upside > 0, 'upside', 'downside'),
      (word) => `The mean target of ${usd(s.target)} implies ${size(s.upside)}% ${word}.`,
    ),
  'two measures in a row': (s) => [
    `RSI and ADX are ${s.rsi} and ${s.adx}.`,
    `RSI and ADX are ${s.adx} and ${s.rsi}.`,
  ],
  'a measure that is not known': (s) => [
    `Its Altman Z is ${(s.pe / 7).toFixed(2)}.`,
    `Its Altman Z is ${s.pe}.`,
  ],
  'a rise that nobody knows': (s) => [
    `The put/call ratio is ${s.putCall}.`,
    `The put/call ratio is ${(s.putCall + 0.4).toFixed(2)}.`,
  ],
};

interface Verdict {
  readonly text: string;
  readonly verdicts: readonly string[];
}

const judged = (stock: SpokenStock, text: string): Verdict => ({
  text,
  verdicts: claimsOf(text, groundOf(stock)).map(({ verdict }) => verdict),
});
const isBorneOut = ({ verdicts }: Verdict): boolean =>
  verdicts.length > 0 && verdicts.every((verdict) => verdict === 'matches' || verdict === 'derivable');
const isRefuted = ({ verdicts }: Verdict): boolean => verdicts.includes('contradicts');

const SENTENCES = Object.entries(PAIRS).map(([name, pair]) => ({
  name,
  truths: STOCKS.map((stock) => judged(stock, pair(stock)[0])),
  falsehoods: STOCKS.map((stock) => judged(stock, pair(stock)[1])),
}));

describe('sentences of six stocks', () => {
  it.each(SENTENCES.map((one) => [one.name, one] as const))('%s', (_, { truths, falsehoods }) => {
    expect(truths.filter(isRefuted)).toEqual([]);
    expect(falsehoods.filter(isBorneOut)).toEqual([]);
  });

  it('are mostly told apart', () => {
    const truths = SENTENCES.flatMap((one) => one.truths);
    const falsehoods = SENTENCES.flatMap((one) => one.falsehoods);
    expect(truths.length + falsehoods.length).toBeGreaterThanOrEqual(300);
    const share = (found: readonly unknown[], all: readonly unknown[]): number =>
      Math.round((100 * found.length) / all.length);
    const coverage = [
      share(truths.filter(isBorneOut), truths),
      share(falsehoods.filter(isRefuted), falsehoods),
    ];
    console.info(
      `${truths.length} true sentences, ${coverage[0]} % borne out; ${falsehoods.length} false, ${coverage[1]} % refuted`,
    );
    expect(coverage[0]).toBeGreaterThan(70);
    expect(coverage[1]).toBeGreaterThan(70);
  });
});

/** As journalists, traders and language models write: hostile ones, of which many stay unknown. */
describe('sentences in prose', () => {
  const text = readFileSync(new URL('../../../../fixtures/verify/sentences.tsv', import.meta.url), 'utf8');
  const sentences = text
    .trim()
    .split('\n')
    .map((line) => {
      const [symbol, truth, sentence] = line.split('\t') as [string, 'true' | 'false' | 'open', string];
      return { truth, ...judged(STOCKS.find((stock) => stock.symbol === symbol)!, sentence) };
    });
  const of = (truth: string) => sentences.filter((sentence) => sentence.truth === truth);

  it.each(['true', 'open'])('of which the %s ones are not refuted', (truth) => {
    expect(of(truth).length).toBeGreaterThan(100);
    expect(of(truth).filter(isRefuted)).toEqual([]);
  });

  it.each(['false', 'open'])('of which the %s ones are not borne out', (truth) => {
    expect(of(truth).filter(isBorneOut)).toEqual([]);
  });

  it('are told apart now and then', () => {
    const [borneOut, refuted] = [of('true').filter(isBorneOut), of('false').filter(isRefuted)];
    console.info(
      `${of('true').length} true, ${borneOut.length} borne out; ${of('false').length} false, ${refuted.length} refuted`,
    );
    expect(borneOut.length).toBeGreaterThan(130);
    expect(refuted.length).toBeGreaterThan(130);
  });
});
