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

/** What is selected stands first, then what is strongest, each with its price; what has no room is counted. */
export function textOf(levels: readonly DrawnLevel[], most: number, selected: ReadonlySet<string>): string {
  const sorted = levels.toSorted((a, b) => rankOf(b, selected) - rankOf(a, selected));
  const named = sorted.filter(({ label }, at) => sorted.findIndex((one) => one.label === label) === at);
  const shown = named.slice(0, most).map(({ label, price }) => ({ label, price: formatPrice(price) }));
  const texts = [...new Set(shown.map(({ price }) => price))].map((price) => {
    const labels = shown.filter((one) => one.price === price).map(({ label }) => label);
    return `${labels.join(' + ')} ${price}`;
  });
  const more = named.length > most ? ` +${named.length - most}` : '';
  return `${texts.join(', ')}${more}`;
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
  const { context, width } = pane;
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
  const isLit = (level: DrawnLevel): boolean => isSelected(level, selected);
  const isAny = hasSetup || visible.some(isLit);
  const right = width - (gamma === null ? 0 : gammaWidth(pane)) - 4;
  for (const level of visible) drawLine(pane, level, styleOf(level, isLit(level), isAny, spoken.has(level)));
  context.setLineDash([]);
  // The prices of a setup are written where the labels would be.
  if (hasSetup) return;
  context.textAlign = 'right';
  for (const label of labels) drawLabel(pane, label, right, label.levels.some(isLit), isAny);
  context.textAlign = 'left';
}

const DASHES: Readonly<Record<string, readonly number[]>> = { average: [6, 4], pattern: [2, 3] };

interface LineStyle {
  readonly opacity: number;
  readonly width: number;
}

/** @param isAny whether something is selected, beside which the others are faint */
function styleOf({ strength }: DrawnLevel, isLit: boolean, isAny: boolean, isSpoken: boolean): LineStyle {
  if (isLit) return { opacity: 1, width: 3 };
  const width = isSpoken ? 1 + strength ** 2 : 1;
  if (isAny) return { opacity: 0.18, width };
  return { opacity: isSpoken ? 0.25 + 0.35 * strength : 0.22, width };
}

function drawLine({ context, width, colours, yOf }: Pane, level: DrawnLevel, style: LineStyle): void {
  context.strokeStyle = faded(colours[`level-${level.group}`]!, style.opacity);
  context.lineWidth = style.width;
  context.setLineDash([...(DASHES[level.group] ?? [])]);
  const y = Math.round(yOf(level.price)) + 0.5;
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(width, y);
  context.stroke();
}

function drawLabel(
  { context, colours, label }: Pane,
  { y, text, levels }: LevelLabel,
  right: number,
  isLit: boolean,
  isAny: boolean,
): void {
  const strongest = levels.reduce((best, level) => (level.strength > best.strength ? level : best));
  const left = Math.max(0, right - context.measureText(text).width - 8);
  context.fillStyle = faded(colours['bg-0']!, isLit ? 1 : 0.78);
  context.fillRect(left, y - LABEL_HEIGHT / 2, right - left, LABEL_HEIGHT);
  context.fillStyle = isAny && !isLit ? colours['text-2']! : colours[`level-${strongest.group}`]!;
  context.fillText(text, right - 4, y, right - 8);
  label({ left, right, y, levels });
}
