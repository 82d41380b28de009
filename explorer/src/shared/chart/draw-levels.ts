import { formatPrice } from '../ui/number.tsx';
import { faded } from './colours.ts';
import { gammaWidth } from './draw-gamma.ts';
import type { DrawnLevel, OverlayContent } from './overlay-content.ts';
import type { Pane } from './pane.ts';

/**
 * Lines across the pane, width by strength, with labels at the right edge that never overlap. The nearest on each side of
 * the price speak, and what is selected; the rest are thin and say nothing until they are pointed at.
 */

const LABEL_HEIGHT = 15;
/** Lines at most: more would paint the pane over. The strongest count, and what is selected. */
const LINES_MAX = 80;
/** Labels on each side of the price. */
const LABELS_A_SIDE = 3;
/** Room above the labels for the age of the chain. */
const TOP = 18;
/** Names of a label at most; narrow panes show fewer. */
const namesMax = (width: number): number => (width > 900 ? 3 : width > 500 ? 2 : 1);

/** Levels whose labels would overlap, as one label. */
interface LevelLabel {
  readonly y: number;
  readonly text: string;
  readonly levels: readonly DrawnLevel[];
}

/** Labels of levels by their places, merged from the top where they would overlap. */
function mergeLabels(
  levels: readonly DrawnLevel[],
  selected: ReadonlySet<string>,
  { yOf, width, height }: Pane,
): LevelLabel[] {
  const inField = (y: number): number =>
    Math.min(Math.max(y, TOP + LABEL_HEIGHT / 2), height - LABEL_HEIGHT / 2);
  const placed = levels
    .map((level) => ({ level, y: inField(yOf(level.price)) }))
    .sort((a, b) => a.y - b.y || b.level.strength - a.level.strength);
  const groups: { y: number; levels: DrawnLevel[] }[] = [];
  for (const { level, y } of placed) {
    const last = groups.at(-1);
    if (last !== undefined && y - last.y < LABEL_HEIGHT) last.levels.push(level);
    else groups.push({ y, levels: [level] });
  }
  return groups.map((group) => ({
    y: group.y,
    text: textOf(group.levels, namesMax(width), selected),
    levels: group.levels,
  }));
}

/** The labels that speak: the nearest on each side of the price, and what is selected. */
function speaking(
  labels: readonly LevelLabel[],
  selected: ReadonlySet<string>,
  priceY: number,
): readonly LevelLabel[] {
  const isLit = ({ levels }: LevelLabel): boolean => levels.some((level) => isSelected(level, selected));
  const above = labels.filter(({ y }) => y <= priceY).slice(-LABELS_A_SIDE);
  const below = labels.filter(({ y }) => y > priceY).slice(0, LABELS_A_SIDE);
  const near = new Set([...above, ...below]);
  return labels.filter((label) => near.has(label) || isLit(label));
}

/** What is selected stands first, then what is strongest; what has no room is counted. */
function textOf(levels: readonly DrawnLevel[], most: number, selected: ReadonlySet<string>): string {
  const sorted = levels.toSorted((a, b) => rankOf(b, selected) - rankOf(a, selected));
  const names = [...new Set(sorted.map(({ label }) => label))];
  const more = names.length > most ? ` +${names.length - most}` : '';
  return `${names.slice(0, most).join(' + ')}${more} ${formatPrice(sorted[0]!.price)}`;
}

const isSelected = ({ name, group }: DrawnLevel, selected: ReadonlySet<string>): boolean =>
  selected.has(name) || selected.has(`group:${group}`);

const rankOf = (level: DrawnLevel, selected: ReadonlySet<string>): number =>
  isSelected(level, selected) ? 2 : level.strength;

function strongest(levels: readonly DrawnLevel[], selected: ReadonlySet<string>): readonly DrawnLevel[] {
  if (levels.length <= LINES_MAX) return levels;
  return levels.toSorted((a, b) => rankOf(b, selected) - rankOf(a, selected)).slice(0, LINES_MAX);
}

export function drawLevels(pane: Pane, { levels, price, gamma, setups, selected }: OverlayContent): void {
  const { context, width, colours } = pane;
  const visible = strongest(
    levels.filter(({ price }) => pane.isVisible(price)),
    selected,
  );
  const merged = mergeLabels(visible, selected, pane);
  const labels = price === null ? merged : speaking(merged, selected, pane.yOf(price));
  const spoken = new Set(labels.flatMap((label) => label.levels));
  context.font = `11px ${pane.font}`;
  context.textBaseline = 'middle';
  const hasSetup = setups.some(({ id }) => selected.has(id));
  const isAny = hasSetup || visible.some((level) => isSelected(level, selected));
  const right = width - (gamma === null ? 0 : gammaWidth(pane)) - 4;
  for (const level of visible) {
    const lit = isSelected(level, selected);
    context.strokeStyle = faded(
      colours[`level-${level.group}`]!,
      lit ? 1 : isAny ? 0.18 : spoken.has(level) ? 0.25 + 0.35 * level.strength : 0.22,
    );
    context.lineWidth = lit ? 3 : spoken.has(level) ? 1 + level.strength ** 2 : 1;
    context.setLineDash(level.group === 'average' ? [6, 4] : level.group === 'pattern' ? [2, 3] : []);
    const y = Math.round(pane.yOf(level.price)) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }
  context.setLineDash([]);
  // The prices of a setup are written where the labels would be.
  if (hasSetup) return;
  for (const { y, text, levels: ofLabel } of labels) {
    const lit = ofLabel.some((level) => isSelected(level, selected));
    const strongest = ofLabel.reduce((best, level) => (level.strength > best.strength ? level : best));
    const textWidth = context.measureText(text).width;
    context.fillStyle = faded(colours['bg-0']!, lit ? 1 : 0.78);
    context.fillRect(right - textWidth - 8, y - LABEL_HEIGHT / 2, textWidth + 8, LABEL_HEIGHT);
    context.fillStyle = isAny && !lit ? colours['text-2']! : colours[`level-${strongest.group}`]!;
    context.textAlign = 'right';
    context.fillText(text, right - 4, y);
    pane.label({ left: right - textWidth - 8, right, y, levels: ofLabel });
  }
  context.textAlign = 'left';
}
