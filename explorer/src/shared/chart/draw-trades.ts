import { faded } from './colours.ts';
import type { DrawnTrade, OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** Trades from entry to exit: what each risked, what it was for, and a line to where it ended. */

const MARK = 4.5;
/** A trade that ends in the bar of its entry still has a width. */
const WIDTH_MIN = 6;

export function drawTrades(pane: Pane, { trades, selected }: OverlayContent): void {
  for (const trade of trades) drawTrade(pane, trade, selected.has(trade.id));
}

function drawTrade(pane: Pane, trade: DrawnTrade, isSelected: boolean): void {
  const { context, colours } = pane;
  const left = pane.xOf(trade.from);
  const end = pane.xOf(trade.to);
  if (left === null || end === null) return;
  const right = Math.max(end, left + WIDTH_MIN);
  const [yEntry, yExit] = [pane.yOf(trade.entry), pane.yOf(trade.exit)];
  for (const [price, colour] of [
    [trade.target, colours.up!],
    [trade.stop, colours.down!],
  ] as const) {
    const y = pane.yOf(price);
    context.fillStyle = faded(colour, isSelected ? 0.2 : 0.08);
    context.fillRect(left, Math.min(y, yEntry), right - left, Math.abs(y - yEntry));
  }
  const colour = trade.r > 0 ? colours.up! : colours.down!;
  context.strokeStyle = colour;
  context.lineWidth = isSelected ? 2.5 : 1.5;
  context.beginPath();
  context.moveTo(left, yEntry);
  context.lineTo(right, yExit);
  context.stroke();
  const tip = trade.isLong ? -MARK : MARK;
  context.fillStyle = colours['text-0']!;
  context.beginPath();
  context.moveTo(left, yEntry + tip);
  context.lineTo(left - MARK, yEntry - tip);
  context.lineTo(left + MARK, yEntry - tip);
  context.closePath();
  context.fill();
  context.fillStyle = colour;
  context.beginPath();
  context.arc(right, yExit, MARK - 1, 0, 2 * Math.PI);
  context.fill();
}
