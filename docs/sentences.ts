import { readFileSync } from 'node:fs';
import { ABSENT, HINTS, VERDICTS, WARNINGS, WAYS } from '../explorer/src/shared/sentences.ts';
import { MARKET_RULES } from '../src/analysis/market-regime.ts';
import { SENTENCES } from '../src/analysis/sentences.ts';
import { ABSENCES } from '../src/api/answers/absences.ts';

/** Every sentence of an answer that no rule of the debate says, by name. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SENTENCES),
  ...MARKET_RULES.map(({ name, says }) => [`regime.${name}`, says] as const),
  ...Object.entries(ABSENCES),
]);

/** What the Explorer itself says, by name. */
export const EXPLORER: ReadonlyMap<string, string> = new Map(
  Object.entries({ ABSENT, WARNINGS, WAYS, VERDICTS, HINTS }).flatMap(([group, sentences]) =>
    Object.entries(sentences).map(([name, text]) => [`${group.toLowerCase()}.${name}`, text] as const),
  ),
);

/** What the Explorer makes of answers; `test/unit/explorer/trading-day.test.ts` takes it down. */
export const composed = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL('../fixtures/sentences/explorer.json', import.meta.url), 'utf8'));

export interface Example {
  readonly text: string;
  /** The simulated stock and date; null where the facts were constructed. */
  readonly of: string | null;
}

/** What `test/service/api/debate-stock-days.test.ts` took down of answers. */
export const examplesOf = (folder: 'debate' | 'sentences'): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(new URL(`../fixtures/${folder}/examples.json`, import.meta.url), 'utf8'));
