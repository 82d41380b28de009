import { faded } from './colours.ts';
import type { OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';
import { secondOfDay } from './wall-clock.ts';

/** Extended hours darker than the session, and a hairline where a session begins. */

const OPEN_S = 9.5 * 3600;
const CLOSE_S = 16 * 3600;

export function drawShading(pane: Pane, { isIntraday }: OverlayContent): void {
  if (!isIntraday) return;
  const { context, height, colours, bars, barWidth } = pane;
  let from: number | null = null;
  let date = -1;
  for (const [at, { time, x }] of bars.entries()) {
    const second = secondOfDay(time);
    const isExtended = second < OPEN_S || second >= CLOSE_S;
    const day = Math.floor(time / 86_400);
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
