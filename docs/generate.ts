import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALERT_KINDS } from '../src/alerts/kinds/index.ts';
import { INPUT_MEANINGS, PLAYBOOK_INPUTS } from '../src/analysis/playbooks/inputs.ts';
import { PLAYBOOKS } from '../src/analysis/playbooks/library.ts';
import type { Playbook, PriceForm } from '../src/analysis/playbooks/playbook.ts';
import { COMPONENT_NAMES } from '../src/analysis/scoring/components.ts';
import { ENTRY_RAMPS } from '../src/analysis/scoring/entry.ts';
import { FAST_INPUTS, SCALES } from '../src/analysis/scoring/inputs.ts';
import { HEALTH_RAMPS, HEALTH_WEIGHTS } from '../src/analysis/scoring/momentum-health.ts';
import { PULSE_RAMPS } from '../src/analysis/scoring/pulse.ts';
import { RAMPS, type Ramp } from '../src/analysis/scoring/ramps.ts';
import { RULES } from '../src/analysis/scoring/regime.ts';
import { V3_WEIGHTS, V5_WEIGHTS, V45_WEIGHTS } from '../src/analysis/scoring/weights.ts';
import { technical } from '../src/blocks/technical.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { settingsTable } from '../src/config.ts';
import { INCLUDE_FIELDS } from '../src/derive/compose.ts';
import { chainTable } from './content-downloads.ts';
import { downloadsTable } from './downloads.ts';
import { factKindsText, statedRatiosText } from './fact-tables.ts';
import { FIGURES } from './figures.ts';

const DOWNLOADS_READ = await downloadsTable();
const CHAINS_READ = await chainTable();

/**
 * Tables and figures of the documents that follow from code. A document marks the place of a table with
 * `<!-- generated:NAME -->` and `<!-- /generated -->`, a figure with its name behind it (`20<!--weak_adx-->`); `npm run
 * docs` fills them, and `test/unit/docs.test.ts` fails when one is stale.
 */
export const REGIONS: ReadonlyMap<string, () => string> = new Map([
  ['alert-kinds', alertKindsText],
  ['commands', commandsText],
  ['settings', settingsText],
  ['include-words', () => `Include words: ${[...INCLUDE_FIELDS.keys()].map(code).join(', ')}.`],
  ['indicators', indicatorsText],
  ['downloads', () => DOWNLOADS_READ],
  ['chain-downloads', () => CHAINS_READ],
  ['fact-kinds', factKindsText],
  ['fact-ratios', statedRatiosText],
  ['score-weights', weightsText],
  ['score-ramps', () => rampsText(RAMPS)],
  ['score-inputs', inputsText],
  ['pulse-ramps', () => rampsText(PULSE_RAMPS)],
  ['entry-ramps', () => rampsText(ENTRY_RAMPS)],
  ['regime-rules', regimeRulesText],
  ['momentum-health', momentumHealthText],
  ['playbooks', playbooksText],
  ['playbook-prices', playbookPricesText],
]);

const REGION = /(<!-- generated:([\w-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

const FIGURE = /-?\d[\d,]*(?:\.\d+)?( %)?<!--([a-z]\w*)-->/g;

/** The text of a document with every generated region and figure as the code has it now. */
export function generated(text: string): string {
  return text
    .replaceAll(REGION, (_, begin: string, name: string, end: string) => {
      const make = REGIONS.get(name);
      if (make === undefined) throw new Error(`No region is called ${name}; docs/generate.ts lists them.`);
      return `${begin}${make()}\n${end}`;
    })
    .replaceAll(FIGURE, (_, percent: string | undefined, name: string) => {
      const figure = FIGURES[name];
      if (figure === undefined) throw new Error(`No figure is called ${name}; docs/figures.ts lists them.`);
      // A share is written as percent; what is counted in percent stays as it is.
      const value = percent !== undefined && Math.abs(figure) <= 1 ? 100 * figure : figure;
      const written = value.toLocaleString('en-US', { maximumSignificantDigits: 9 });
      return `${written}${percent ?? ''}<!--${name}-->`;
    });
}

/** Names of the regions and figures that a document has. */
export const namesIn = (text: string): string[] =>
  [REGION, FIGURE].flatMap((mark) => Array.from(text.matchAll(mark), ([, , name]) => name!));

const code = (word: string): string => `\`${word}\``;
const namesText = (names: readonly string[]): string => names.map(code).join(', ');

/** Each field of the block with what its schema says. */
function indicatorsText(): string {
  const fields = JSON.parse(JSON.stringify(technical.schema!.properties)) as Record<string, Described>;
  const lines = Object.entries(fields).map(([name, { anyOf, description = anyOf?.[0]?.description }]) => {
    return `- ${code(name)}: ${description!.slice(0, -1)}`;
  });
  return lines.join('\n');
}

type Described = { readonly description?: string; readonly anyOf?: readonly Described[] };

function alertKindsText(): string {
  const lines = ALERT_KINDS.map(
    ({ name, description, example, phrases = [] }) =>
      `- ${code(name)}: ${[description, ...[example].map((one) => code(JSON.stringify(one))), ...phrases.map((phrase) => code(`NVDA ${phrase.example}`))].join(' ')}`,
  );
  return lines.join('\n');
}

function commandsText(): string {
  const lines = COMMANDS.map(
    ({ name, summary }) => `- ${code(name)}: ${summary.slice(0, summary.indexOf('.') + 1)}`,
  );
  return lines.join('\n');
}

/** A line for each setting: what is allowed, in short, and the default in parentheses. */
function settingsText(): string {
  const [, , ...rows] = settingsTable().split('\n');
  const lines = rows.map((row) => {
    const [name, fallback, allowed, ...meaning] = row.slice(2, -2).split(' | ');
    const bounds = allowed!
      .replace(/a whole number from (\S+) to (\S+)/, '$1 to $2')
      .replace(/^one of /, '')
      .replace(/^an address (such as )/, '$1')
      .replace(/.*without spaces$/, '');
    const said = [bounds, fallback === 'not set' ? '' : fallback].filter((value) => value !== '');
    return `- ${name}${said.length === 0 ? '' : ` (${said.join('; ')})`}: ${meaning.join(' | ')}`;
  });
  return lines.join('\n');
}

/** Each component with its weight in each version that has it. */
function weightsText(): string {
  const versions = [
    ['v3', new Map(V3_WEIGHTS)],
    ['v4.5', new Map(V45_WEIGHTS)],
    ['v5', new Map(V5_WEIGHTS)],
  ] as const;
  const lines = versions.map(([version, weights]) => {
    const each = COMPONENT_NAMES.filter((name) => weights.has(name));
    return `- ${version}: ${each.map((name) => `${code(name)} ${weights.get(name)}`).join(', ')}`;
  });
  return lines.join('\n');
}

/** Every ramp with where it begins and ends. */
function rampsText(ramps: Readonly<Record<string, Ramp>>): string {
  const each = Object.entries(ramps).map(([name, { from, to }]) => `${code(name)} ${from} to ${to}`);
  return `${each.join(', ')}.`;
}

/** Every input with the range that is searched and the unit of a change; those searched alike are named together. */
function inputsText(): string {
  const bySearch = Map.groupBy(
    Object.entries(SCALES),
    ([, { unit, low, high }]) => `${low} to ${high} (${unit})`,
  );
  const searched = Array.from(bySearch, ([search, inputs]) => {
    const names = namesText(inputs.map(([name]) => name));
    return `${names} ${search}`;
  });
  const fast = FAST_INPUTS.filter((name) => name in SCALES);
  return `${searched.join('; ')}.\n\nFast: ${namesText(fast)}.`;
}

function regimeRulesText(): string {
  const bySupport = Map.groupBy(RULES, ({ supports }) => supports.join(', '));
  const lines = Array.from(
    bySupport,
    ([supports, rules]) => `- ${supports}: ${namesText(rules.map(({ name }) => name))}`,
  );
  return lines.join('\n');
}

function momentumHealthText(): string {
  const parts = HEALTH_WEIGHTS.map(([part, weight]) => {
    const { from, to } = HEALTH_RAMPS[part];
    return `${code(part)} ${weight} (${from} to ${to})`;
  });
  return `Weights and ramps: ${parts.join(', ')}.`;
}

/** Every playbook with its mirror: a long and its short are neighbours in the library. */
function playbooksText(): string {
  const explained = new Set<string>();
  const pairs: (readonly [long: Playbook, short: Playbook | undefined])[] = [];
  for (let at = 0; at < PLAYBOOKS.length; at++) {
    const long = PLAYBOOKS[at]!;
    const isPair = long.direction !== 'neutral';
    pairs.push([long, isPair ? PLAYBOOKS[++at] : undefined]);
  }
  return pairs.map(([long, short]) => playbookText(long, short, explained)).join('\n\n');
}

/** A condition that an earlier playbook has is named alone. */
function playbookText(long: Playbook, short: Playbook | undefined, explained: Set<string>): string {
  const both = short === undefined ? [long] : [long, short];
  const signal = long.signal === null ? 'no signal' : `signal ${code(long.signal)}`;
  const conditions = long.conditions.map(({ name, meaning }, at) => {
    const mirrored = short?.conditions[at]?.name ?? name;
    const names = `- ${code(name)}${mirrored === name ? '' : ` (${code(mirrored)})`}`;
    const line = `${names}: ${meaning}`;
    if (explained.has(line)) return names;
    explained.add(line);
    return line;
  });
  const { trigger, stop, target } = long.prices;
  const prices =
    trigger === null
      ? 'No prices: the side that breaks first decides.'
      : `Trigger ${code(sumOf(trigger))}, stop ${code(sumOf(stop))}, target ${code(sumOf(target))}.`;
  return [
    `### ${both.map(({ strategy }) => code(strategy)).join(', ')}`,
    '',
    `${long.name}: ${long.timeframe}, day ${long.day_type}, ${signal}.`,
    '',
    ...conditions,
    '',
    prices,
  ].join('\n');
}

function sumOf(form: PriceForm): string {
  return (form ?? [])
    .map((term, at) => {
      const [weight, input] = typeof term === 'string' ? [1, term] : term;
      const sign = weight < 0 ? ' - ' : at === 0 ? '' : ' + ';
      return `${sign}${Math.abs(weight) === 1 ? '' : `${Math.abs(weight)} `}${input}`;
    })
    .join('');
}

function playbookPricesText(): string {
  const longs = PLAYBOOKS.filter(({ direction }) => direction === 'bullish');
  const forms = longs.flatMap(({ prices }) => [prices.trigger, prices.stop, prices.target]);
  const used = new Set<string>(
    forms.flatMap((form) => (form ?? []).map((term) => (typeof term === 'string' ? term : term[1]))),
  );
  // Averages and the like are called as the trade calls them.
  const plain = /^(?:vwap|atr|ema_9|sma_20|sma_50|session_high)$/;
  return PLAYBOOK_INPUTS.filter((input) => used.has(input) && !plain.test(input))
    .map((input) => `${code(input)}: ${INPUT_MEANINGS[input].says}`)
    .join(' ');
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const inDocs = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...inDocs]) {
    const text = readFileSync(root + page, 'utf8');
    const fresh = generated(text);
    if (fresh === text) continue;
    writeFileSync(root + page, fresh);
    console.log(page);
  }
}
