import { faded } from './colours.ts';
import type { OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** Price events as triangles, news as squares and alerts as discs along the lower edge, at the bar in which they were known. */

const SIZE = 4;

export function drawEvents(pane: Pane, { events, selected }: OverlayContent): void {
  const { context, height, colours } = pane;
  const stacks = new Map<number, number>();
  for (const { id, time, kind, direction } of events) {
    const x = pane.xOf(time);
    if (x === null) continue;
    const place = Math.round(x);
    const level = stacks.get(place) ?? 0;
    stacks.set(place, level + 1);
    const y = height - 9 - level * (SIZE * 2 + 3);
    const colour =
      kind === 'alert'
        ? colours.accent!
        : direction === 'bullish'
          ? colours.up!
          : direction === 'bearish'
            ? colours.down!
            : colours['text-1']!;
    context.fillStyle = faded(colour, selected.has(id) ? 1 : 0.8);
    context.beginPath();
    if (kind === 'news') context.rect(x - SIZE, y - SIZE, SIZE * 2, SIZE * 2);
    else if (kind === 'alert') context.arc(x, y, SIZE, 0, 2 * Math.PI);
    else {
      const tip = direction === 'bearish' ? SIZE : -SIZE;
      context.moveTo(x, y + tip);
      context.lineTo(x - SIZE, y - tip);
      context.lineTo(x + SIZE, y - tip);
      context.closePath();
    }
    context.fill();
    if (!selected.has(id)) continue;
    context.strokeStyle = colours['text-0']!;
    context.lineWidth = 1.5;
    context.stroke();
  }
}
