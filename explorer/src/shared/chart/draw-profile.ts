import { faded } from './colours.ts';
import type { DrawnProfile, OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/** Volume by price from the left edge: the prior session as an outline, the developing one filled. */

const WIDTH_SHARE = 0.16;
const ROW_HEIGHT_MIN = 2;

export function drawProfiles(pane: Pane, { profiles }: OverlayContent): void {
  for (const profile of profiles) drawProfile(pane, profile);
  if (profiles.length > 0) nameProfiles(pane);
}

/** Above the names of the bands behind the candles. */
const NAME_FOOT_PX = 16;

function nameProfiles({ context, width, height, colours, font }: Pane): void {
  context.font = `10px ${font}`;
  context.fillStyle = colours['text-2']!;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillText('volume by price', 4, height - NAME_FOOT_PX, width * 2 * WIDTH_SHARE);
}

/** Volume by row of pixels: rows of a fine profile share one. */
function rowsByPixel(
  pane: Pane,
  { base_price, row_size, rows }: DrawnProfile,
): Map<number, { volume: number; price: number }> {
  const byPixel = new Map<number, { volume: number; price: number }>();
  rows.forEach((volume, at) => {
    const price = base_price + (at + 0.5) * row_size;
    if (!pane.isVisible(price)) return;
    const row = Math.floor(pane.yOf(price) / ROW_HEIGHT_MIN);
    const known = byPixel.get(row);
    if (known === undefined) byPixel.set(row, { volume, price });
    else known.volume += volume;
  });
  return byPixel;
}

function drawProfile(pane: Pane, profile: DrawnProfile): void {
  const { context, width, colours } = pane;
  const byPixel = rowsByPixel(pane, profile);
  if (byPixel.size === 0) return;
  let largest = 0;
  for (const { volume } of byPixel.values()) largest = Math.max(largest, volume);
  const height = Math.max(
    ROW_HEIGHT_MIN,
    Math.abs(pane.yOf(profile.base_price) - pane.yOf(profile.base_price + profile.row_size)) - 1,
  );
  for (const [row, { volume, price }] of byPixel) {
    const length = (volume / largest) * width * WIDTH_SHARE;
    const inValue = price >= profile.val && price <= profile.vah;
    const y = row * ROW_HEIGHT_MIN - height / 2 + ROW_HEIGHT_MIN / 2;
    if (profile.developing) {
      context.fillStyle = faded(colours['level-value']!, inValue ? 0.34 : 0.15);
      context.fillRect(0, y, length, height);
    } else {
      context.fillStyle = faded(colours['level-prior']!, inValue ? 0.26 : 0.12);
      context.fillRect(0, y, length, height);
      context.fillStyle = faded(colours['level-prior']!, 0.6);
      context.fillRect(length - 1, y, 1, height);
    }
  }
}
