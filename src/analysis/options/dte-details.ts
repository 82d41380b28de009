import { AXES, AXIS_WEIGHTS, type Axis } from './dte-axes.ts';
import type { DteReading } from './dte-reading.ts';
import { AT_THE_OPEN } from './quotes.ts';

/** The sentences of an assessment: what each axis was computed from, and why an expiration won or lost. */

type Scores = Readonly<Record<Axis, number>>;
type Sentences = Record<Axis, string>;

/** @param recommended index of the best; -1 when there is none */
export function dteDetails(
  readings: readonly DteReading[],
  scores: readonly Scores[],
  composites: readonly number[],
  gates: readonly (readonly string[])[],
  recommended: number,
): Sentences[] {
  return readings.map((reading, index) => {
    const sentences: Sentences = {
      edge_ratio: edgeSentence(reading),
      iv_fitness: `${ivSentence(reading)} ${eventSentence(reading)}`,
      dealer_flow: dealerSentence(reading),
      liquidity: liquiditySentence(reading),
    };
    const verdict = (axis: Axis, text: string): void => {
      sentences[axis] += ` ${text}`;
    };
    if (gates[index]!.length > 0) verdict('liquidity', `Gated: ${gates[index]!.join('; ')}.`);
    else if (index === recommended) verdict('edge_ratio', winSentence(reading));
    else if (Number.isNaN(composites[index]!)) verdict('edge_ratio', 'Not ranked: too few axes are known.');
    else if (Number.isNaN(scores[index]!.edge_ratio)) {
      verdict('edge_ratio', 'Not recommended: without it the horizon of the trade is not weighed.');
    } else if (
      isTooShort(reading, readings[recommended]!) &&
      composites[index]! >= composites[recommended]!
    ) {
      verdict('edge_ratio', 'Not recommended: it ends before the trade would, and others do not.');
    } else {
      const { axis, sentence } = lossOf(index, scores, composites, recommended, readings);
      verdict(axis, sentence);
    }
    return sentences;
  });
}

const isTooShort = (reading: DteReading, winner: DteReading): boolean =>
  !reading.isLongEnough && winner.isLongEnough;

const winSentence = ({ isLongEnough }: DteReading): string =>
  isLongEnough
    ? 'Recommended: the highest composite of all that pass and live long enough for the trade.'
    : 'Recommended: the highest composite of all that pass; none lives long enough for the trade.';

/** Where an expiration lost most against the one that is recommended. */
function lossOf(
  index: number,
  scores: readonly Scores[],
  composites: readonly number[],
  recommended: number,
  readings: readonly DteReading[],
): { axis: Axis; sentence: string } {
  const [own, best] = [scores[index]!, scores[recommended]!];
  const behind = (axis: Axis): number => (best[axis] - own[axis]) * AXIS_WEIGHTS[axis];
  let worst: Axis = 'edge_ratio';
  for (const axis of AXES)
    if (!(behind(axis) <= behind(worst))) worst = Number.isNaN(behind(axis)) ? worst : axis;
  const points = composites[recommended]! - composites[index]!;
  const winner = dateText(readings[recommended]!.quotes.date);
  return {
    axis: worst,
    sentence: `Lost to ${winner} by ${points.toFixed(1)} points, most of them here (${figure(own[worst])} against ${figure(best[worst])}).`,
  };
}

function edgeSentence({ inputs, edge, quotes, smile, life }: DteReading): string {
  const { holding, lived, travel, implied, decay, ratio } = edge;
  if (Number.isNaN(inputs.atr)) return 'Not scored: no daily ATR is known.';
  if (Number.isNaN(smile.atTheMoney)) return 'Not scored: no volatility at the money is quoted.';
  const end = quotes.settlement === AT_THE_OPEN ? ', then it settles at the open' : '';
  const cut = lived < holding ? ` x ${sessions(lived)}/${holding} sessions that it lives` : '';
  return (
    `Travel ${dollars(travel)} (ATR ${dollars(inputs.atr)} x sqrt of ${sessions(lived)} sessions) over ` +
    `${dollars(implied)} implied to expiration (IV ${percent(smile.atTheMoney)}, ${quotes.days} days) plus ` +
    `${dollars(decay)} to make good theta${cut}: ${ratio.toFixed(2)}; ${sessions(life.sessionsLeft)} sessions left${end}.`
  );
}

function ivSentence({ inputs, smile, iv }: DteReading): string {
  const { ivPercentile, forecastVolatility, surface, direction } = inputs;
  if (Number.isNaN(smile.atTheMoney)) return 'No volatility at the money is quoted.';
  const parts = [`IV ${percent(smile.atTheMoney)}`];
  if (!Number.isNaN(ivPercentile))
    parts.push(`30-day IV at percentile ${ivPercentile.toFixed(0)} of its year`);
  else if (!Number.isNaN(forecastVolatility)) {
    parts.push(`realised ${percent(forecastVolatility)} (no history of IV)`);
  }
  if (!Number.isNaN(surface.atTheMoney30)) parts.push(`30-day IV ${percent(surface.atTheMoney30)}`);
  const wing = direction === 'bullish' ? 'calls' : 'puts';
  if (!Number.isNaN(iv.wing)) parts.push(`25-delta ${wing} ${signed(iv.wing)} of it`);
  return `${parts.join(', ')}.`;
}

/** What happens before the contracts end. */
function eventSentence({ inputs, quotes, life }: DteReading): string {
  const inside = inputs.earningsDates.filter((date) => date >= inputs.chain.today && date <= quotes.date);
  const events = [
    ...inside.map((date) => `earnings ${dateText(date)}`),
    ...listed('monthly expiration', life.monthlies),
    ...listed('holiday', life.holidays),
  ];
  return events.length === 0 ? 'Inside its life: no known event.' : `Inside its life: ${events.join(', ')}.`;
}

/** Two are named, more are counted. */
function listed(name: string, dates: readonly number[]): string[] {
  if (dates.length <= 2) return dates.map((date) => `${name} ${dateText(date)}`);
  return [`${dates.length} ${name}s, the first ${dateText(dates[0]!)}`];
}

function dealerSentence({ inputs, exposure, dealer, sign }: DteReading): string {
  if (!(exposure.callGamma + exposure.putGamma > 0)) {
    return 'Not scored: no open interest with usable greeks.';
  }
  const { flip } = inputs.exposure;
  const { spot } = inputs.chain;
  const side = spot >= flip ? 'above' : 'below';
  const flipText = Number.isNaN(flip) ? 'no flip' : `spot ${dollars(spot)} ${side} the flip ${dollars(flip)}`;
  const wall = sign > 0 ? 'call wall' : 'put wall';
  const target = spot + sign * dealer.reach;
  const wallText = Number.isNaN(dealer.wall)
    ? `no ${wall}`
    : `${wall} ${dollars(dealer.wall)} against a target of ${dollars(target)}`;
  return (
    `Net gamma ${millions(exposure.netGamma)} per 1 % (${signed(dealer.lean)} of gross), ${flipText}, ${wallText}; ` +
    `greeks cover ${percent(exposure.coverage)} of open interest.`
  );
}

function liquiditySentence({ near }: DteReading): string {
  const spread = Number.isNaN(near.spread) ? 'no spread' : `median spread ${percent(near.spread)}`;
  const count = (value: number, name: string): string =>
    Number.isNaN(value) ? `${name} not stated` : `${name} ${value}`;
  return (
    `Near the money: ${spread}, ${near.used} of ${near.contracts} contracts quoted, ` +
    `${count(near.openInterest, 'open interest')}, ${count(near.volume, 'volume')}.`
  );
}

const dateText = (date: number): string => new Date(date).toISOString().slice(0, 10);
/** A whole number as it is, the share of a last session with two decimals. */
const sessions = (value: number): string => String(Number(value.toFixed(2)));
const dollars = (value: number): string => value.toFixed(2);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
const millions = (value: number): string => `${value < 0 ? '-' : ''}$${Math.abs(value / 1e6).toFixed(2)} M`;
const figure = (score: number): string => (Number.isNaN(score) ? 'unknown' : score.toFixed(1));
