/**
 * Every sentence that the product says to a trader, each with an example, as Markdown: `npm run docs:sentences`.
 * Examples are of the simulated market, 100 companies of seed 1, as the engine wrote them; where no such day says a
 * sentence, its figures are constructed.
 */
import { readFileSync } from 'node:fs';
import { ABSENT, HINTS, VERDICTS, WARNINGS, WAYS, WHAT } from '../explorer/src/shared/sentences.ts';
import { filled } from '../src/analysis/conditions.ts';
import { MARKET_RULES } from '../src/analysis/market-regime.ts';
import { SENTENCES } from '../src/analysis/sentences.ts';
import { ABSENCES } from '../src/api/answers/absences.ts';
import { PLAN_SENTENCES } from '../src/api/plan/sentences.ts';
import { CHANGES, RULES } from '../src/texts/debate/index.ts';

/** Every sentence of an answer that no rule of the debate says, by name. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SENTENCES),
  ...MARKET_RULES.map(({ name, says }) => [`regime.${name}`, says] as const),
  ...Object.entries(ABSENCES),
  ...Object.entries(PLAN_SENTENCES),
]);

/** What the Explorer itself says, by name. */
export const EXPLORER: ReadonlyMap<string, string> = new Map(
  Object.entries({ ABSENT, WARNINGS, WAYS, VERDICTS, HINTS, FIRST: { what: WHAT } }).flatMap(
    ([group, sentences]) =>
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

/** Figures of sentences that no simulated day says, like that of a collapse, as an answer writes them. */
const CONSTRUCTED: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  'entry.illiquid': { shares: '310K', least: '500K' },
  'entry.index_falls': { move: '2.10 %' },
  'entry.stock_falls': { move: '6.42 %' },
  'entry.stale': { age: 17 },
  'beta.above': { beta: '2.31', limit: '1.5', vix: '27.40' },
  'edge.left_to_open': { left: 8 },
  'iv.realised': { realised: '31.4 %' },
  'dealers.no_wall': { side: 'put' },
  'liquidity.barred': { reasons: '3 quotes near the money of at least 4' },
  'chain.no_outside': { strikes: 12 },
  'chain.open_interest': { contracts: 'all 84 calls' },
  'chain.needs_open_interest': { sides: 'calls' },
  'chain.settlement': { contracts: '84 contracts of 2026-11-20' },
  'regime.narrow_advance': { 'index.symbol': 'SIMX', 'breadth.above_sma_50_pct': '38.00' },
  'regime.narrow_decline': { 'index.symbol': 'SIMX', 'breadth.above_sma_50_pct': '64.00' },
  'absent.index_today': { symbol: 'SIMX', date: '2026-11-20', session: '2026-11-19' },
  'absent.vix_before': { symbol: '^VIX' },
  'absent.breadth': { stocks: 5 },
  'absent.peers': { symbol: 'MXAZ', date: '2026-11-20' },
  'absent.peers_pending': { date: '2026-11-20' },
  'absent.chain': { symbol: 'MXAZ' },
  'absent.chain_newest': { taken: '2026-11-18T21:00:00.000Z' },
  'absent.chain_before': { taken: '2026-11-19 15:55' },
  'absent.chain_old': { taken: '2026-11-18 15:55', sessions: 2 },
  'refused.renamed': { symbol: 'MXAZ', ticker: 'MXBZ', from: '2026-06-09' },
  'refused.date': { symbol: 'MXAZ', date: '2026-11-20' },
  'refused.not_yet': { date: '2026-11-23' },
  'refused.no_session_yet': { symbol: 'MXAZ' },
  'refused.parts': { symbol: 'MXAZ', lengths: '1h' },
  'refused.market_date': { date: '2026-11-20' },
  'refused.peers_before': { symbol: 'MXAZ', date: '2026-11-20', before: '2026-11-19' },
  'refused.peers_pending': { date: '2026-11-20' },
  'refused.graph': { symbol: 'MXAZ' },
  'refused.screen_date': { date: '2026-11-23', newest: '2026-11-20' },
  'plan.results_today': { date: 'Nov 20' },
  'plan.gap_beyond': { gap: '+3.1 %', move: '2.2 %' },
  'plan.gap_wide': { gap: '-1.3 %', share: '53 %' },
  'plan.side_changed': { from: 'bullish', to: 'neutral', since: 'Nov 19' },
  'plan.tier_changed': { side: 'bull', from: 'poor', to: 'weak', since: 'Nov 19' },
  'plan.flip_near': { price: '26.05', away: '0.01 ATR above' },
  'plan.setup_near': { name: 'Rally in a downtrend', price: '136.11', away: '0.22 ATR below' },
  'plan.level_near': { level: 'PDL', price: '135.50', families: 4, away: '0.02 ATR above' },
  'plan.pattern_confirmed': { pattern: 'bullish engulfing', date: 'Nov 19' },
  'plan.news': { count: 2, since: 'Nov 19' },
  'plan.turn_score': {
    outcome: 'the directional bias would be bullish',
    condition: 'the distance to resistance in ATR were above',
    to: '0.48',
    from: '0.03',
  },
  'plan.turn_pattern': { pattern: 'hammer', where: 'below', price: '74.86' },
  'plan.turn_gamma': { regime: 'short', where: 'below', price: '75.96' },
  'plan.turn_average': { sessions: 50, where: 'below', price: '74.10' },
  'plan.turn_average_back': { sessions: 20, where: 'above', price: '77.39' },
  'plan.due_early_close': { time: '13:00' },
  'plan.due_results_of': { count: 2, symbols: 'MXAZ, MXBZ' },
  'plan.no_price': { symbol: 'MXAZ', date: '2026-11-10' },
  'plan.no_print': { date: 'Nov 19' },
  'review.levels': { levels: 14, touched: 9, held: 5, chance: 'chance 4.2' },
  'review.chance': { chance: '4.2' },
  'review.moves': { kept: 9, moves: 12 },
  'review.setups': { triggered: 2, setups: 3, reached: 1, stopped: 1, r: '+0.8' },
  'review.so_far': { says: '14 levels: 9 touched, 5 held (chance 4.2).' },
  'review.no_plan': { reason: 'No data for the symbol MXAZ' },
};

/** A sentence with what it is an example of: of a stock and date, constructed, or as it is written where it has no figure. */
export function exampleOf(
  name: string,
  template: string,
  { text, of }: Partial<Example> = {},
): readonly [string, string] {
  if (text !== undefined) return [text, of ?? 'constructed'];
  if (!template.includes('{')) return [template, 'as written'];
  const figures = CONSTRUCTED[name];
  return [filled(template, (figure) => figures?.[figure]), 'constructed'];
}

/** What `test/service/api/debate-stock-days.test.ts` took down of answers. */
export const examplesOf = (folder: 'debate' | 'sentences'): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(new URL(`../fixtures/${folder}/examples.json`, import.meta.url), 'utf8'));

type Row = readonly (string | number)[];

function table(title: string, head: readonly string[], rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [`## ${title}`, '', ...lines, ''].join('\n');
}

if (import.meta.main) {
  const [debate, sentences] = [examplesOf('debate'), examplesOf('sentences')];
  const answers = Array.from(TEMPLATES, ([name, template]) => [
    `\`${name}\``,
    ...exampleOf(name, template, sentences[name]),
  ]);
  const arguments_ = [...RULES, ...CHANGES].map(({ name, side, weight }) => {
    const { text, of } = debate[name]!;
    return [`\`${name}\``, side, weight, text, of ?? 'constructed'];
  });
  const written = Array.from(EXPLORER, ([name, text]) => [`\`${name}\``, text]);
  console.log(table('Answers', ['sentence', 'example', 'of'], answers));
  console.log(table('The debate', ['rule', 'side', 'weight', 'example', 'of'], arguments_));
  console.log(table('The Explorer', ['of', 'sentence'], [...written, ...Object.entries(composed())]));
}
