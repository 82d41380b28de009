import { faded } from './colours.ts';
import type { DrawnPattern, OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** Patterns on their pivots, with trigger, target and invalidation to the right of the last one. */

export function drawPatterns(pane: Pane, { patterns, selected }: OverlayContent): void {
  for (const pattern of patterns)
    drawPattern(pane, pattern, selected.has(pattern.id) || selected.has('group:pattern'));
}

function drawPattern(pane: Pane, pattern: DrawnPattern, lit: boolean): void {
  const { context, width, colours } = pane;
  const points = pattern.pivots.flatMap(({ time, price }) => {
    const x = pane.xOf(time);
    return x === null ? [] : [{ x, y: pane.yOf(price) }];
  });
  const colour =
    pattern.direction === 'bullish'
      ? colours.up!
      : pattern.direction === 'bearish'
        ? colours.down!
        : colours['text-1']!;
  if (points.length < 2) return;
  context.strokeStyle = faded(colour, lit ? 1 : 0.5);
  context.lineWidth = lit ? 2.5 : 1.5;
  context.beginPath();
  for (const [at, { x, y }] of points.entries()) {
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
  context.fillStyle = colour;
  for (const { x, y } of points) context.fillRect(x - 2, y - 2, 4, 4);
  const last = points.at(-1)!;
  if (lit) {
    for (const [price, dash, name] of [
      [pattern.trigger, [], 'trigger'],
      [pattern.target, [4, 3], 'target'],
      [pattern.invalidation, [1, 3], 'invalid'],
    ] as const) {
      if (price === null || !pane.isVisible(price)) continue;
      const y = Math.round(pane.yOf(price)) + 0.5;
      context.setLineDash([...dash]);
      context.beginPath();
      context.moveTo(last.x, y);
      context.lineTo(width, y);
      context.stroke();
      context.font = `10px ${pane.font}`;
      context.textBaseline = 'bottom';
      context.fillText(
        name,
        Math.min(last.x + 4, width - context.measureText(name).width),
        Math.max(y - 1, 12),
      );
    }
    context.setLineDash([]);
  }
  context.font = `10px ${pane.font}`;
  context.textBaseline = 'top';
  if (!lit) return;
  const right = width - context.measureText(pattern.label).width - 4;
  const x = Math.max(4, Math.min(points[0]!.x, right));
  context.fillText(pattern.label, x, Math.max(0, Math.min(points[0]!.y + 6, pane.height - 14)));
}
