import { formatNumber, formatPrice } from '../ui/number.tsx';
import { faded } from './colours.ts';
import type { DrawnSetup, OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** The selected setup right of the newest bar: what it risks in one colour, what it is for in the other. */

/** Width at least where the newest bar stands at the edge. */
const WIDTH_MIN = 150;

export function drawSetups(pane: Pane, { setups, selected }: OverlayContent): void {
  for (const setup of setups) if (selected.has(setup.id)) drawSetup(pane, setup);
}

function drawSetup(pane: Pane, { entry, stop, target, r }: DrawnSetup): void {
  const { context, width, colours, bars } = pane;
  const left = Math.min(bars.at(-1)?.x ?? 0, width - WIDTH_MIN);
  const yEntry = pane.yOf(entry);
  const part = (price: number, colour: string): void => {
    const y = pane.yOf(price);
    context.fillStyle = faded(colour, 0.16);
    context.fillRect(left, Math.min(y, yEntry), width - left, Math.abs(y - yEntry));
  };
  part(target, colours.up!);
  part(stop, colours.down!);
  context.font = `600 11px ${pane.font}`;
  context.textBaseline = 'middle';
  for (const [name, price, colour] of [
    [`target${r === null ? '' : ` ${formatNumber(r, 1)} R`}`, target, colours.up!],
    ['entry', entry, colours['text-0']!],
    ['stop', stop, colours.down!],
  ] as const) {
    const y = Math.round(pane.yOf(price)) + 0.5;
    const text = `${name} ${formatPrice(price)}`;
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillStyle = colours['bg-0']!;
    context.fillRect(left + 4, y - 8, context.measureText(text).width + 8, 16);
    context.fillStyle = colour;
    context.fillText(text, left + 8, y);
  }
}
