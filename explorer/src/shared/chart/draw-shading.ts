import { faded } from './colours.ts';
import type { OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';
import { secondOfDay } from './wall-clock.ts';

/** Extended hours darker than the session, a hairline where a session begins, and a band where bars are missing. */

const OPEN_S = 9.5 * 3600;
const CLOSE_S = 16 * 3600;
const dayOf = (time: number): number => Math.floor(time / 86_400);

/** Whether a chart time lies outside the regular session of its day. */
export function isExtendedHour(time: number, earlyCloses: readonly number[]): boolean {
  const second = secondOfDay(time);
  if (second < OPEN_S || second >= CLOSE_S) return true;
  return earlyCloses.some((close) => time >= close && dayOf(time) === dayOf(close));
}

export function drawShading(pane: Pane, { isIntraday, earlyCloses }: OverlayContent): void {
  if (!isIntraday) return;
  const { context, height, colours, bars, barWidth } = pane;
  let from: number | null = null;
  let date = -1;
  for (const [at, { time, x }] of bars.entries()) {
    const isExtended = isExtendedHour(time, earlyCloses);
    const day = dayOf(time);
    if (day !== date && date !== -1) {
      context.fillStyle = faded(colours.line!, 0.9);
      context.fillRect(Math.round(x - barWidth / 2), 0, 1, height);
    }
    date = day;
    if (isExtended && from === null) from = x - barWidth / 2;
    const isLast = at === bars.length - 1;
    if (from === null || (isExtended && !isLast)) continue;
    const to = isExtended ? x + barWidth / 2 : x - barWidth / 2;
    context.fillStyle = faded(colours['bg-2']!, 0.55);
    context.fillRect(from, 0, to - from, height);
    from = null;
  }
}

const HOLE_MIN_PX = 4;

/** Where the stream has left a gap: bars lie side by side there, though minutes lie between them. */
export function drawHoles(pane: Pane, { holes }: OverlayContent): void {
  const { context, height, colours, bars, barWidth } = pane;
  for (const { from, to } of holes) {
    const before = bars.findLast(({ time }) => time < from)?.x;
    const after = bars.find(({ time }) => time >= to)?.x;
    if (before === undefined) continue;
    const left = before + barWidth / 2;
    const width = Math.max(
      HOLE_MIN_PX,
      (after === undefined ? left + barWidth : after - barWidth / 2) - left,
    );
    context.fillStyle = faded(colours.warn!, 0.35);
    context.fillRect(left - (width === HOLE_MIN_PX ? HOLE_MIN_PX / 2 : 0), 0, width, height);
  }
}
