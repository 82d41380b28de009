import { faded } from './colours.ts';
import type { OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** Dealer gamma by strike at the right edge, calls and puts stacked, with the flip zone behind the candles. */

/** Width of the longest bar; labels of levels begin left of it. */
export const gammaWidth = ({ width }: Pane): number => Math.min(64, width * 0.14);
const BAR_HEIGHT_MAX = 9;
/** Events are marked at the foot of the pane. */
const ABOVE_EVENTS = 26;

export function drawGamma(pane: Pane, { gamma, selected }: OverlayContent): void {
  if (gamma === null) return;
  const { context, width, colours } = pane;
  const { flip_zone: flip } = gamma;
  context.font = `11px ${pane.font}`;
  if (flip !== null) {
    const top = pane.yOf(flip.high);
    const height = Math.max(1, pane.yOf(flip.low) - top);
    context.fillStyle = faded(colours['level-option']!, selected.has('group:option') ? 0.24 : 0.1);
    context.fillRect(0, top, width, height);
    if (height > 14) {
      context.fillStyle = faded(colours['level-option']!, 0.9);
      context.textAlign = 'left';
      context.textBaseline = 'bottom';
      context.fillText(
        'gamma flip zone',
        width * 0.18,
        Math.min(top + height - 3, pane.height - ABOVE_EVENTS),
      );
    }
  }
  const strikes = gamma.by_strike.filter(({ strike }) => pane.isVisible(strike));
  if (strikes.length === 0) return;
  const largest = Math.max(
    ...strikes.map(({ call_gamma, put_gamma }) => Math.max(call_gamma ?? 0, put_gamma ?? 0)),
    1,
  );
  const places = strikes.map(({ strike }) => pane.yOf(strike)).sort((a, b) => a - b);
  const gaps = places.slice(1).map((y, at) => y - places[at]!);
  const height = Math.max(2, Math.min(BAR_HEIGHT_MAX, Math.min(...gaps, BAR_HEIGHT_MAX * 2) / 2 - 1));
  const scale = gammaWidth(pane) / largest;
  const right = width;
  for (const { strike, call_gamma: call, put_gamma: put } of strikes) {
    const y = pane.yOf(strike);
    const lit = selected.has(`strike:${strike}`) || strike === gamma.call_wall || strike === gamma.put_wall;
    // The chain of an earlier session is drawn fainter.
    const opacity = (lit ? 0.75 : 0.38) * (gamma.sessions_old === 0 ? 1 : 0.4);
    // Where open interest is not known there is no bar: none is of another length than 0.
    if (call !== null) {
      context.fillStyle = faded(colours.up!, opacity);
      context.fillRect(right - call * scale, y - height, call * scale, height);
    }
    if (put !== null) {
      context.fillStyle = faded(colours.down!, opacity);
      context.fillRect(right - put * scale, y, put * scale, height);
    }
  }
  const age = `gamma by strike, ${gamma.age}`;
  const words = context.measureText(age).width + 8 > width ? gamma.age : age;
  const ageWidth = context.measureText(words).width;
  context.fillStyle = faded(colours['bg-0']!, 0.78);
  context.fillRect(right - ageWidth - 8, 0, ageWidth + 8, 18);
  context.fillStyle = faded(colours['level-option']!, 0.9);
  context.textAlign = 'right';
  context.textBaseline = 'top';
  context.fillText(words, right - 4, 4, width - 8);
}
