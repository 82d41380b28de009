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

const NAME_FOOT_PX = 2;

/** A band's name at its foot, where the band in view has room for it. */
function nameBand(
  { context, width, height, colours, font }: Pane,
  name: string,
  from: number,
  to: number,
): void {
  context.font = `10px ${font}`;
  const [left, right] = [Math.max(from, 0), Math.min(to, width)];
  const room = right - left - context.measureText(name).width;
  if (room < 4) return;
  context.fillStyle = colours['text-2']!;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillText(name, left + room / 2, height - NAME_FOOT_PX);
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
    const next = bars[at + 1];
    const goesOn = next !== undefined && dayOf(next.time) === day && isExtendedHour(next.time, earlyCloses);
    if (!isExtended || from === null || goesOn) continue;
    const to = x + barWidth / 2;
    context.fillStyle = faded(colours['bg-2']!, 0.55);
    context.fillRect(from, 0, to - from, height);
    nameBand(pane, secondOfDay(time) < OPEN_S ? 'pre-market' : 'after hours', from, to);
    from = null;
  }
}

const HOLE_MIN_PX = 4;
/** Its name is wider than a hole. */
const HOLE_NAME_PX = 24;

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
    nameBand(pane, 'no bars', left - HOLE_NAME_PX, left + width + HOLE_NAME_PX);
  }
}
