import { compact } from '../compact.ts';
import { say } from '../sentences.ts';
import { AXES, AXIS_WEIGHTS, type Axis } from './dte-axes.ts';
import type { DteReading } from './dte-reading.ts';
import { AT_THE_OPEN } from './quotes.ts';

/** What an assessment says: what each axis was computed from, and why an expiration won or lost. */

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
    if (gates[index]!.length > 0) {
      verdict('liquidity', say('liquidity.barred', { reasons: gates[index]!.join(', ') }));
    } else if (index === recommended) {
      verdict('edge_ratio', say(reading.isLongEnough ? 'edge.best' : 'edge.best_of_short'));
    } else if (Number.isNaN(composites[index]!)) {
      verdict('edge_ratio', say('edge.unranked'));
    } else if (
      !Number.isNaN(scores[index]!.edge_ratio) &&
      isTooShort(reading, readings[recommended]!) &&
      composites[index]! >= composites[recommended]!
    ) {
      verdict('edge_ratio', say('edge.ends_early'));
    } else if (!Number.isNaN(scores[index]!.edge_ratio)) {
      const { axis, sentence } = lossOf(index, scores, composites, recommended, readings);
      verdict(axis, sentence);
    }
    return sentences;
  });
}

const isTooShort = (reading: DteReading, winner: DteReading): boolean =>
  !reading.isLongEnough && winner.isLongEnough;

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
  const sentence = say('edge.behind', {
    points: (composites[recommended]! - composites[index]!).toFixed(1),
    winner: dateText(readings[recommended]!.quotes.date),
    own: figure(own[worst]),
    best: figure(best[worst]),
  });
  return { axis: worst, sentence };
}

function edgeSentence({ inputs, edge, quotes, smile, life }: DteReading): string {
  const { holding, lived, travel, implied, decay, ratio } = edge;
  if (Number.isNaN(inputs.atr)) return say('edge.no_atr');
  if (Number.isNaN(smile.atTheMoney)) return say('edge.no_iv');
  const endsAtOpen = quotes.settlement === AT_THE_OPEN;
  const parts = [
    say('edge.ratio', {
      travel: dollars(travel),
      atr: dollars(inputs.atr),
      sessions: sessions(lived),
      implied: dollars(implied),
      iv: percent(smile.atTheMoney),
      days: quotes.days,
      decay: dollars(decay),
      ratio: ratio.toFixed(2),
    }),
    ...(lived < holding ? [say('edge.cut', { lived: sessions(lived), holding })] : []),
    say(endsAtOpen ? 'edge.left_to_open' : 'edge.left', { left: sessions(life.sessionsLeft) }),
  ];
  return parts.join(' ');
}

function ivSentence({ inputs, smile, iv }: DteReading): string {
  const { ivPercentile, forecastVolatility, surface, direction } = inputs;
  if (Number.isNaN(smile.atTheMoney)) return say('iv.none');
  const parts: string[] = [say('iv.at_the_money', { iv: percent(smile.atTheMoney) })];
  if (!Number.isNaN(ivPercentile)) parts.push(say('iv.percentile', { percentile: ivPercentile.toFixed(0) }));
  else if (!Number.isNaN(forecastVolatility)) {
    parts.push(say('iv.realised', { realised: percent(forecastVolatility) }));
  }
  if (!Number.isNaN(surface.atTheMoney30)) parts.push(say('iv.month', { iv: percent(surface.atTheMoney30) }));
  if (!Number.isNaN(iv.wing)) {
    const wing = direction === 'bullish' ? 'calls' : 'puts';
    const name = iv.wing < 0 ? 'iv.wing_cheap' : 'iv.wing_dear';
    parts.push(say(name, { wing, premium: percent(Math.abs(iv.wing)) }));
  }
  return parts.join(' ');
}

/** What happens before the contracts end. */
function eventSentence({ inputs, quotes, life }: DteReading): string {
  const inside = inputs.earningsDates.filter((date) => date >= inputs.chain.today && date <= quotes.date);
  const events = [
    ...inside.map((date) => `earnings ${dateText(date)}`),
    ...listed('monthly expiration', life.monthlies),
    ...listed('holiday', life.holidays),
  ];
  return events.length === 0 ? say('iv.no_event') : say('iv.events', { events: events.join(', ') });
}

/** Two are named, more are counted. */
function listed(name: string, dates: readonly number[]): string[] {
  if (dates.length <= 2) return dates.map((date) => `${name} ${dateText(date)}`);
  return [`${dates.length} ${name}s, the first ${dateText(dates[0]!)}`];
}

function dealerSentence({ inputs, exposure, dealer, sign }: DteReading): string {
  const gross = exposure.callGamma + exposure.putGamma;
  if (!(gross > 0)) return say(Number.isNaN(gross) ? 'dealers.unknown' : 'dealers.none');
  const { flip } = inputs.exposure;
  const { spot } = inputs.chain;
  const side = sign > 0 ? 'call' : 'put';
  const target = dollars(spot + sign * dealer.reach);
  const around = { price: dollars(spot), flip: dollars(flip) };
  return [
    say(dealer.lean < 0 ? 'dealers.short' : 'dealers.long', {
      gamma: `$${compact(Math.abs(exposure.netGamma))}`,
      share: percent(Math.abs(dealer.lean)),
    }),
    Number.isNaN(flip)
      ? say('dealers.no_flip')
      : say(spot >= flip ? 'dealers.above_flip' : 'dealers.below_flip', around),
    Number.isNaN(dealer.wall)
      ? say('dealers.no_wall', { side })
      : say('dealers.wall', { side, wall: dollars(dealer.wall), target }),
    say('dealers.coverage', { coverage: percent(exposure.coverage) }),
  ].join(' ');
}

function liquiditySentence({ near }: DteReading): string {
  const { used, contracts } = near;
  const spread = Number.isNaN(near.spread) ? 'unknown' : percent(near.spread);
  const count = (value: number): string => (Number.isNaN(value) ? 'not stated' : compact(value));
  const [interest, volume] = [count(near.openInterest), count(near.volume)];
  return `${say('liquidity.quotes', { used, contracts, spread })} ${say('liquidity.interest', { interest, volume })}`;
}

const dateText = (date: number): string => new Date(date).toISOString().slice(0, 10);
/** A whole number as it is, the share of a last session with two decimals. */
const sessions = (value: number): string => String(Number(value.toFixed(2)));
const dollars = (value: number): string => value.toFixed(2);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const figure = (score: number): string => (Number.isNaN(score) ? 'unknown' : score.toFixed(1));
