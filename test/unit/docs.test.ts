import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../docs/figures.ts';
import { generated, namesIn, REGIONS } from '../../docs/generate.ts';
import { SIGNAL_TYPES } from '../../src/analysis/backtest/spec.ts';
import {
  fundamentalHealth,
  fundamentalQuality,
  HEALTH_SIDES,
  type HealthMeasures,
  type QualityMeasures,
} from '../../src/analysis/fundamental-quality.ts';
import { CANDLESTICK_TYPES, CHART_PATTERN_TYPES } from '../../src/analysis/patterns/finding.ts';
import { RunAnswer, RunsAnswer } from '../../src/api/backtest/schema.ts';
import { blocks } from '../../src/blocks/index.ts';
import { priceEvents as priceEventsBlock } from '../../src/blocks/price-events.ts';
import { deriveStock, INCLUDE_FIELDS, joinStock, leavesOf, StockResult } from '../../src/derive/compose.ts';
import { DteScores } from '../../src/derive/dte-scores.ts';
import { Exposure } from '../../src/derive/exposure.ts';
import { words } from '../support/tables.ts';
import { richMarket, richView } from './docs/rich-stock.ts';

/** What the pages of documentation say, against the program. */

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('../../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort();
const scoring = textOf('docs/scoring.md');
const options = textOf('docs/scoring-options.md');
const gaps = textOf('docs/spec-gaps.md');

/** Everything in backticks. */
const quoted = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/`([^`\n]+)`/g), ([, word]) => word!));
const section = (title: string, text = scoring): string => {
  const from = text.indexOf(`\n## ${title}\n`);
  expect(from, title).toBeGreaterThan(0);
  const to = text.indexOf('\n## ', from + 1);
  return text.slice(from, to < 0 ? undefined : to);
};
const missingFrom = (words: Iterable<string>, names: Iterable<string>): string[] => {
  const found = new Set(words);
  return [...names].filter((name) => !found.has(name));
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** Names of the properties inside a schema that have no description. */
function undescribedIn(schema: Schema): string[] {
  const children = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const texts = [child, ...(child.anyOf ?? [])].map(({ description }) => description ?? '');
    return [...(texts.some((text) => text !== '') ? [] : [name]), ...undescribedIn(child)];
  });
  return [...own, ...children.flatMap(undescribedIn)];
}

const schemaOf = (schema: TSchema | null): Schema => JSON.parse(JSON.stringify(schema ?? {}));

const rich = richView();
const derivedRich = deriveStock(rich, richMarket(rich));
const answerOf = (derived: typeof derivedRich): Record<string, unknown> =>
  JSON.parse(joinStock(derived, { source: 'delayed', simulated: false }, [...INCLUDE_FIELDS.keys()]));
const atNoon = answerOf(derivedRich);
const evening = richView('20:00');
const inTheEvening = answerOf(deriveStock(evening, richMarket(evening)));
/** Fields that the session fills while it runs or once it is over. */
const answer = Object.fromEntries(
  Object.entries(atNoon).map(([field, value]) => [field, value ?? inTheEvening[field]]),
);

describe('docs/scoring.md', () => {
  it('leaves no field to guess: each has its description in the OpenAPI document', () => {
    const undescribed = [StockResult, RunAnswer, RunsAnswer, DteScores, Exposure].flatMap((schema) =>
      undescribedIn(schemaOf(schema)),
    );
    expect(undescribed).toEqual([]);
  });

  it('mentions every pattern and every price event', () => {
    const { type } = schemaOf(priceEventsBlock.schema).items!.properties!;
    expect(type!.enum!.length).toBeGreaterThan(20);
    const words = quoted(scoring);
    expect(missingFrom(words, [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES, ...type!.enum!])).toEqual([]);
  });

  it('mentions every word of the closed vocabularies of reported facts, dealer gamma and peers', () => {
    const names = ['fundamental', 'earnings', 'ownership', 'news', 'gex', 'peer_divergence_v1'];
    const words = blocks
      .filter(({ name }) => names.includes(name))
      .flatMap(({ schema, flat }) => [schema, ...Object.values(flat)].flatMap((of) => wordsIn(schemaOf(of))));
    expect(words.length).toBeGreaterThan(10);
    expect(missingFrom(quoted(scoring + options), words)).toEqual([]);
  });

  it('fills every field of the answer on a rich day, while it runs or once it is over', () => {
    expect(Object.keys(answer).filter((field) => answer[field] === null)).toEqual([]);
  });

  it('lists as not derived what stays null when everything is known, and nothing else', () => {
    const fields = Object.keys(StockResult.properties);
    const words = quoted(section('Not derived'));
    const listed = fields.filter((field) => words.has(field) && answer[field] === null);
    expect(listed.sort()).toEqual(fields.filter((field) => answer[field] === null).sort());
    expect(fields.filter((field) => words.has(field) && answer[field] !== null)).toEqual([
      'thematic_exposures',
    ]);
  });

  it('lists as not derived what stays null inside reported facts, options and peers', () => {
    const WARNINGS = ['peg_warning', 'ev_ebitda_warning'];
    const names = words`fundamental earnings analyst ownership news thematic_exposures options peer_divergence_v1`;
    const silent = names.flatMap((name) => nullsIn(answer[name])).filter((name) => !WARNINGS.includes(name));
    expect(silent.sort()).toEqual(['momentum', 'momentum_state']);
    expect(missingFrom(quoted(section('Not derived')), silent)).toEqual([]);
  });
});

/** Names of fields that hold null, of records and of every element of lists. */
function nullsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(nullsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (inner === null ? [name] : nullsIn(inner)));
}

/** Words of closed vocabularies inside a schema. */
function wordsIn({ properties, anyOf, items, enum: words }: Schema): string[] {
  const children = [
    ...Object.values(properties ?? {}),
    ...(anyOf ?? []),
    ...(items === undefined ? [] : [items]),
  ];
  return [...(words ?? []).filter((word) => typeof word === 'string'), ...children.flatMap(wordsIn)];
}

describe('docs/scoring-backtest.md', () => {
  it('mentions every signal and every verdict', () => {
    const { overfitting } = (schemaOf(RunAnswer).properties!.analysis!.anyOf ?? [])[0]!.properties!;
    const verdicts = overfitting!.properties!.verdict!.enum!;
    expect(verdicts.length).toBeGreaterThan(3);
    expect(missingFrom(quoted(textOf('docs/scoring-backtest.md')), [...SIGNAL_TYPES, ...verdicts])).toEqual(
      [],
    );
  });
});

describe('generated regions', () => {
  it.each(PAGES)('of %s are what the code has: npm run docs', (page) => {
    expect(generated(textOf(page))).toBe(textOf(page));
  });

  it('are all in use', () => {
    const used = new Set(PAGES.flatMap((page) => namesIn(textOf(page))));
    expect([...REGIONS.keys(), ...Object.keys(FIGURES)].filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('files and functions', () => {
  const SOURCE =
    /^(?:((?:src|test|migrations|bench)\/[\w./-]+\.json)|([a-z0-9][\w./-]*\.(?:ts|sql)))(?::(\w+))?$/;
  /** `src/blocks/NAME.ts`: a file that a reader is to make. */
  const PLACEHOLDER = /\/[A-Z-]+(?:-[a-z]+)?(?:\/|\.(?:test\.)?(?:ts|sql)$)/;

  /** Where a page may mean that a file lies. */
  const placesOf = (path: string): string[] =>
    ['', 'src/']
      .map((folder) => folder + path)
      .filter((place) => existsSync(new URL(`../../${place}`, import.meta.url)));

  const isDeclared = (name: string, place: string): boolean =>
    new RegExp(`(function|const|class|interface|type) ${name}\\b`).test(textOf(place));

  it.each([
    ['docs/scoring.md', 34],
    ['docs/scoring-scores.md', 10],
    ['docs/scoring-intraday.md', 3],
    ['docs/scoring-options.md', 10],
    ['docs/scoring-backtest.md', 5],
    ['docs/spec-gaps.md', 40],
    ['ARCHITECTURE.md', 8],
  ])('%s names files', (page, least) => {
    const named = [...quoted(textOf(page))].filter((word) => SOURCE.test(word));
    expect(named.length).toBeGreaterThanOrEqual(least);
  });

  it.each(PAGES)('that %s names exist', (page) => {
    const named = [...quoted(textOf(page))].flatMap((word) => {
      const match = PLACEHOLDER.test(word) ? null : SOURCE.exec(word);
      return match !== null && (word.includes('/') || match[3] !== undefined) ? [{ word, match }] : [];
    });
    const wrong = named.filter(({ match: [, json, source, name] }) => {
      const places = placesOf(json ?? source!);
      return places.length === 0 || (name !== undefined && !places.some((place) => isDeclared(name, place)));
    });
    expect(wrong.map(({ word }) => word)).toEqual([]);
  });

  it('that the README of a folder names exist', () => {
    const root = new URL('../../', import.meta.url);
    const readmes = ['src', 'explorer/src', 'bench', 'test'].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('README.md'))
        .map((name) => `${folder}/${name}`),
    );
    expect(readmes.length).toBeGreaterThan(20);
    const wrong = readmes.flatMap((readme) =>
      [...quoted(textOf(readme))]
        .filter((word) => /^[\w./-]+\.tsx?$/.test(word) && !PLACEHOLDER.test(word))
        .filter((word) =>
          [readme.replace(/README\.md$/, ''), 'src/', 'explorer/src/', ''].every(
            (folder) => !existsSync(new URL(folder + word, root)),
          ),
        )
        .map((word) => `${readme}: ${word}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(PAGES)('that %s leads to exist', (page) => {
    const links = Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!);
    const wrong = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : new URL(path!, `file:///${page}`).pathname.slice(1);
      if (!existsSync(new URL(`../../${target}`, import.meta.url))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(wrong).toEqual([]);
  });
});

describe('docs/spec-gaps.md', () => {
  const sections = gaps.split('\n## ').slice(1);
  const points = sections.flatMap((text) =>
    Array.from(text.matchAll(/^- (.*)$/gm), ([, point]) => ({ title: text.split('\n')[0], point: point! })),
  );

  it.each(sections.map((text) => [text.split('\n')[0]!, text]))('names the code behind %s', (_, text) => {
    const [code] = /^Code: .*$/m.exec(text) ?? [''];
    expect(quoted(code).size).toBeGreaterThan(0);
  });

  it('has a choice for each point, in two lines at most', () => {
    expect(points.length).toBeGreaterThan(50);
    const wrong = points.filter(({ point }) => !/^\*\*[^*]+\*\*: .+\.$/.test(point) || point.length > 300);
    expect(wrong).toEqual([]);
  });

  it('has no point twice in a section', () => {
    const names = points.map(({ title, point }) => `${title}: ${point.split('**')[1]}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

/** Anchors of a page as the usual renderers make them of its headings. */
const anchorsOf = (page: string): string[] =>
  Array.from(textOf(page).matchAll(/^#+ (.+)$/gm), ([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );

describe('README.md', () => {
  const readme = textOf('README.md');
  const lines = readme.split('\n');

  it('has a running system by line 15 and a first answer by line 20', () => {
    expect(lines.findIndex((line) => line.includes('npm ci && npm start'))).toBeLessThan(15);
    expect(lines.findIndex((line) => line.startsWith('curl '))).toBeLessThan(20);
  });

  it('leads to every page', () => {
    const pages = PAGES.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'));
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !readme.includes(`](${page})`))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const architecture = textOf('ARCHITECTURE.md');

  it('has every folder', () => {
    const table = section('Layout', architecture);
    const folders = Array.from(table.matchAll(/`src\/([\w.*-]+)\/?`/g), ([, name]) => name!.split('*'));
    const isNamed = (entry: string) =>
      folders.some(([from, to]) =>
        to === undefined ? entry === from : entry.startsWith(from!) && entry.endsWith(to),
      );
    const entries = readdirSync(new URL('../../src/', import.meta.url)).filter(
      (name) => !name.endsWith('.md'),
    );
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.filter((entry) => !isNamed(entry))).toEqual([]);
  });

  it('has every table of the store', () => {
    const folder = new URL('../../migrations/', import.meta.url);
    const sql = readdirSync(folder)
      .sort()
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    const last = new Map(
      Array.from(sql.matchAll(/^(create (?:unlogged )?|drop )table (\w+)/gm), ([, verb, name]) => [
        name!,
        verb!,
      ]),
    );
    const namesOf = (word: string) =>
      [...last].flatMap(([name, verb]) => (verb.startsWith(word) ? [name] : []));
    const [tables, dropped] = [namesOf('create'), namesOf('drop')];
    expect(tables.length).toBeGreaterThan(10);
    expect(missingFrom(quoted(section('Stores', architecture)), tables)).toEqual([]);
    expect(dropped.filter((name) => quoted(architecture).has(name))).toEqual([]);
  });

  it('has every kind of node and edge that a rich stock-day leads to', () => {
    const leaves = leavesOf(derivedRich.includes, { symbol: 'ACME', tradeDate: '2024-03-05' });
    const relations = [...derivedRich.relations, ...leaves];
    const names = new Set(relations.flatMap(({ type, label }) => [type, label]));
    expect(names.size).toBeGreaterThanOrEqual(12);
    expect(missingFrom(quoted(section('Stores', architecture)), names)).toEqual([]);
  });
});

describe('docs/decisions/small-libraries.md', () => {
  it('has every dependency with a reason', () => {
    const packages = ['package.json', 'clients/typescript/package.json', 'explorer/package.json'].map(
      (path) => JSON.parse(textOf(path)) as Record<string, Record<string, string> | undefined>,
    );
    const lines = section('Dependencies', textOf('docs/decisions/small-libraries.md'))
      .split('\n')
      .filter((line) => line.startsWith('- `'))
      .map((line) => line.split(/: (.*)/s));
    expect(lines.every(([, reason = '']) => reason.trim() !== '')).toBe(true);
    const named = quoted(lines.map(([names]) => names!).join('\n'));
    const own = packages
      .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      )
      .filter((name) => !/^@(?:types|tigraph)\//.test(name));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !own.includes(name) && name !== '@types/*')).toEqual([]);
  });
});

type Line = readonly (readonly [value: number, points: number])[];

describe('the points of quality and health', () => {
  /** `0: 100, 0.5: 80`, linear between the figures and flat beyond them. */
  const lineOf = (text: string): Line =>
    Array.from(text.matchAll(/(-?[\d.]+): (\d+)/g), ([, value, points]) => [Number(value), Number(points)]);
  const pointsAt = (line: Line, value: number): number => {
    const next = line.findIndex(([from]) => value < from);
    if (next <= 0) return line.at(next)![1];
    const [[from, low], [to, high]] = [line[next - 1]!, line[next]!];
    return low + ((value - from) / (to - from)) * (high - low);
  };
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const rowsOf = (head: string): string[][] => {
    const text = section('Gates');
    const rows = text.slice(text.indexOf(head)).split('\n').slice(2);
    return rows.slice(0, rows.indexOf('')).map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  };
  /** Values all over the scale of a measure, another for each step. */
  const valueAt = (line: Line, step: number): number => {
    const [from, to] = [line[0]![0], line.at(-1)![0]];
    return from + (to - from) * ((((step * 0.6180339887) % 1) + 1) % 1) * 1.2 - (to - from) * 0.1;
  };

  it('of quality are those of the page', () => {
    const lines = rowsOf('| quality |').map(([, points]) => lineOf(points!));
    expect(lines.map((line) => line.length)).toEqual([6, 5, 4]);
    for (let step = 0; step < 200; step++) {
      const [peRatio, roe, profitMargin] = lines.map((line, at) => valueAt(line, 3 * step + at));
      const measures = { peRatio, roe, profitMargin } as QualityMeasures;
      const expected = meanOf(lines.map((line, at) => pointsAt(line, Object.values(measures)[at]!)));
      expect(Math.abs(fundamentalQuality(measures) - expected), JSON.stringify(measures)).toBeLessThanOrEqual(
        0.5 + 1e-9,
      );
    }
  });

  it('of health are those of the page, side by side', () => {
    const rows = rowsOf('| health, side |');
    expect(rows.map(([side, weight]) => [side, Number(weight)])).toEqual(
      HEALTH_SIDES.map(({ side, weight }) => [side.replaceAll('_', ' '), weight]),
    );
    const lines = new Map<string, Line>(
      HEALTH_SIDES.flatMap(({ measures }, at) => {
        const bands = rows[at]![2]!.split('; ').map(lineOf);
        return measures.map((measure, place) => [measure, bands[place] ?? bands[0]!] as const);
      }),
    );
    for (let step = 0; step < 400; step++) {
      const measures = Object.fromEntries(
        Array.from(lines, ([measure, line], at) => [measure, valueAt(line, 13 * step + at)]),
      );
      const sides = HEALTH_SIDES.map(
        ({ weight, measures: own }) =>
          weight * meanOf(own.map((measure) => pointsAt(lines.get(measure)!, measures[measure]!))),
      );
      const expected = sides.reduce((sum, side) => sum + side, 0) / 100;
      const health = fundamentalHealth(measures as unknown as HealthMeasures);
      expect(Math.abs(health - expected), JSON.stringify(measures)).toBeLessThanOrEqual(0.5 + 1e-9);
    }
  });
});
