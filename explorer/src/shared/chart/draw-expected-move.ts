import { formatPrice } from '../ui/number.tsx';
import { faded } from './colours.ts';
import type { OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

const DASH = [6, 4];
/** Of the width: between the volume profile and the labels of levels. */
const LABEL_AT = 0.35;
const LABEL_HEIGHT = 15;

/** The expected move of the day: a tint from its session on, its edges dashed and by their names. */
export function drawExpectedMove(pane: Pane, { expected }: OverlayContent): void {
  if (expected === null) return;
  const { context, width, colours, bars } = pane;
  const first = bars.find(({ time }) => time >= expected.from)?.x;
  if (first === undefined) return;
  const left = first - pane.barWidth / 2;
  const [top, bottom] = [pane.yOf(expected.high), pane.yOf(expected.low)];
  context.fillStyle = faded(colours['level-option']!, 0.03);
  context.fillRect(left, top, width - left, bottom - top);
  context.strokeStyle = faded(colours['level-option']!, 0.7);
  context.fillStyle = colours['text-1']!;
  context.lineWidth = 1;
  context.font = `11px ${pane.font}`;
  context.setLineDash(DASH);
  for (const [price, y, side] of [
    [expected.high, top, -1],
    [expected.low, bottom, 1],
  ] as const) {
    context.beginPath();
    context.moveTo(left, Math.round(y) + 0.5);
    context.lineTo(width, Math.round(y) + 0.5);
    context.stroke();
    if (!pane.isVisible(price)) continue;
    // Outside the band, unless there is no field there.
    const isOut = side < 0 ? y > LABEL_HEIGHT : y < pane.height - LABEL_HEIGHT;
    context.textBaseline = side < 0 === isOut ? 'bottom' : 'top';
    const words = `${expected.label} ${formatPrice(price)}`;
    const x = Math.min(Math.max(left, width * LABEL_AT), width - context.measureText(words).width);
    context.fillText(words, x, y + (isOut ? side : -side) * 2);
  }
  context.setLineDash([]);
}
