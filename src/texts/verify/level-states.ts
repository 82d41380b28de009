import { MINUTE_MS } from '../../analysis/sessions.ts';
import { newYorkMidnight } from '../../base/time-zone.ts';
import type { Fact } from '../facts/fact-registry.ts';
import { contradicts, type Judgement, matches, unknown } from './claim.ts';
import type { KnownValues } from './compare.ts';
import { type Ground, quoteOf, type TextView } from './items.ts';
import type { Measure } from './lexicon.ts';
import type { Subjects } from './link.ts';
import type { Claim } from './text-claim.ts';
import { isSide, isUnderstood, NEGATIONS, SAYS, wordsIn } from './words.ts';

/** What became of a level, as texts say it and as it is served. */
const SAID = Object.entries({
  held: wordsIn('held holds holding defended respected'),
  broken: wordsIn('broken broke breaks breached'),
  touched: wordsIn('touched tested tagged reached'),
  untouched: wordsIn('untouched untested'),
});
type State = 'held' | 'broken' | 'touched' | 'untouched';

/** May stand between what became of a level and the level. */
const BETWEEN = wordsIn('the its a through above below over under');
/** Leaves such a sentence what it says, beside words that leave a number what it is. */
const PLAIN = wordsIn('so far through regular early late morning afternoon buyers sellers');
const BETWEEN_MAX = 6;
const CLOCK =
  /^ (?:(?<about>around|about|near) |at |by )(?<hour>\d{1,2}):(?<minute>\d\d)(?! ?%)(?: ?(?<half>[ap])(?:m|\.m\.))?(?: e[sd]?t)?/;
const CLOCK_MAX = 24;
const ABOUT_MINUTES = 5;

/** What is said of a level. */
interface Said {
  readonly name: string;
  readonly state: State;
  readonly clock: RegExpExecArray | null;
}

/** What a text says became of levels in the session, judged by their served states. */
export function levelClaims(view: TextView, ground: Ground, known: KnownValues, subjects: Subjects): Claim[] {
  const states = new Map([...ground.facts, ...ground.levels].map((fact) => [fact.id, fact]));
  return view.tokens.flatMap(({ start, end, text }, at): Claim[] => {
    const state = SAID.find(([, words]) => words.has(text))?.[0] as State | undefined;
    const measure = state === undefined || view.mentionAt[at] ? null : levelOf(view, at, state);
    if (state === undefined || measure === null) return [];
    const named = levelsOf(measure, known);
    if (named.length === 0) return [];
    const levels = named.filter((level) => states.has(`${level}.state`));
    const clock = CLOCK.exec(view.reading.lower.slice(end, end + CLOCK_MAX));
    const doubt = doubtOf(view, at, end + (clock?.[0].length ?? 0), ground, subjects);
    const judgement =
      levels.length === 0
        ? unknown(measure.name, `What became of ${measure.name} is not known.`)
        : doubt === null
          ? agreed(
              measure,
              levels.map((level) =>
                judged({ state, clock, name: measure.name }, level, states, ground.tradeDate),
              ),
            )
          : unknown(measure.name, doubt);
    const quote = quoteOf(view, { start, end: end + (clock?.[0].length ?? 0) });
    return [{ ...quote, kind: 'state', value: state, unit: null, ...judgement }];
  });
}

/** The level that a word is of: the one before it, else the one behind; null where neither is one. */
function levelOf({ tokens, mentionAt, reading }: TextView, at: number, state: State): Measure | null {
  const [{ clause, end }, next] = [tokens[at]!, tokens[at + 1]?.text ?? ''];
  // `held above VWAP`, `held near 187`: where the price is.
  const isPlace = isSide(next) || /^(?:at|near|around)$/.test(next);
  if (state === 'held' && isPlace && !CLOCK.test(reading.lower.slice(end, end + CLOCK_MAX))) return null;
  for (const step of [-1, 1]) {
    for (let place = at + step; Math.abs(place - at) <= BETWEEN_MAX; place += step) {
      const [token, mention] = [tokens[place], mentionAt[place]];
      if (token?.clause !== clause) break;
      if (mention === undefined && (step === -1 || BETWEEN.has(token.text))) continue;
      if (mention?.measure.trait === 'level' || mention?.measure.trait === 'open') return mention.measure;
      break;
    }
  }
  return null;
}

/** The levels that a measure can mean, as the facts of their states begin; none for what is no level of the chart. */
function levelsOf(measure: Measure, known: KnownValues): string[] {
  const names = known.meantBy(measure).map(({ id }) =>
    id
      .replace(/^stock\.(?:levels|technical\.moving_averages)\./, 'level.')
      .replace('stock.range_3d.', 'level.range_3d_')
      .replace('stock.level_ladder.nearest_', 'level.nearest_')
      .replace(/\.(?:price|away)$/, ''),
  );
  return [...new Set(names)].filter((name) => name.startsWith('level.'));
}

/** Why nothing is said of it; null where all around it is understood. */
function doubtOf(
  { tokens, items, mentionAt, itemAt }: TextView,
  at: number,
  end: number,
  { tradeDate }: Ground,
  subjects: Subjects,
): string | null {
  const { clause, sentence, start } = tokens[at]!;
  const other = subjects.otherOf({ from: at, to: at + 1 });
  if (other !== null) return `The clause speaks of ${other}.`;
  const { past, supposed } = SAYS.flags;
  let place = at;
  while (tokens[place - 1]?.sentence === sentence) place--;
  for (; tokens[place]?.sentence === sentence; place++) {
    const token = tokens[place]!;
    const { text, kind } = token;
    const isOther = mentionAt[place] !== undefined || itemAt[place] !== undefined || subjects.isNamed(place);
    if (isOther || (token.start >= start && token.end <= end)) continue;
    if (supposed.has(text) || SAYS.possible.has(text)) return 'The clause speaks of what may happen.';
    if (past.has(text)) return 'The clause speaks of another time.';
    if (token.clause !== clause || kind === 'mark') continue;
    if (NEGATIONS.has(text)) return 'The clause denies it.';
    if (
      kind === 'number' ||
      !(isUnderstood(text) || PLAIN.has(text) || SAID.some(([, words]) => words.has(text)))
    )
      return `What “${text}” makes of it is not known.`;
  }
  const isOfDay = items.every(
    (item) => item.kind !== 'date' || item.date === tradeDate || tokens[item.from]!.sentence !== sentence,
  );
  return isOfDay ? null : 'The clause speaks of another time.';
}

/** Of several levels each may be meant; where the name is that of the first, one that bears it out is enough. */
function agreed({ name, trait }: Measure, judgements: readonly Judgement[]): Judgement {
  const [first, ...others] = judgements;
  const borneOut = judgements.find(({ verdict }) => verdict === 'matches');
  if (trait === 'level' && borneOut !== undefined) return borneOut;
  return others.every(({ verdict }) => verdict === first!.verdict)
    ? first!
    : unknown(name, `Which ${name} is meant is not clear.`);
}

function judged(said: Said, level: string, facts: ReadonlyMap<string, Fact>, tradeDate: string): Judgement {
  const { state, clock, name } = said;
  const fact = facts.get(`${level}.state`)!;
  const served = fact.value as State;
  if (state === 'touched' ? served !== 'untouched' : state === served) {
    const at = facts.get(`${level}.${state === 'touched' ? 'touched_at' : 'decided_at'}`) ?? null;
    return clock === null
      ? matches(name, `${name} is ${served} in the session.`, fact)
      : atTime(said, at, tradeDate);
  }
  if (served === 'touched') return unknown(name, `${name} was touched, which is not decided.`, fact);
  if (state === 'held' && served === 'untouched') return unknown(name, `${name} is untouched.`, fact);
  if (state === 'held' && facts.get(`${level}.holds`)?.value !== 0)
    return unknown(name, `${name} may have held before it broke.`, fact);
  return contradicts(name, `${name} is ${served} in the session.`, fact, { expected: served });
}

/** A bar is called by its beginning and by its end, which is what is served. */
function atTime({ state, name, clock: written }: Said, fact: Fact | null, tradeDate: string): Judgement {
  if (fact === null) return unknown(name, 'When it happened is not known.');
  const { about, hour, minute, half } = written!.groups!;
  // No session has a 1:30 of the night.
  const isAfternoon = half === 'p' || (half === undefined && Number(hour) < 8);
  const said =
    60 * ((Number(hour) % 12) + (isAfternoon || (half !== 'a' && hour === '12') ? 12 : 0)) + Number(minute);
  const served = (Date.parse(String(fact.value)) - newYorkMidnight(tradeDate)) / MINUTE_MS;
  const clock = `${Math.floor(served / 60)}:${String(served % 60).padStart(2, '0')}`;
  const [early, late] = about === undefined ? [1, 0] : [ABOUT_MINUTES, ABOUT_MINUTES];
  if (said >= served - early && said <= served + late)
    return matches(name, `${name} was ${state} at ${clock}.`, fact);
  // The newest hold is served, and it may have held before.
  return state === 'held'
    ? unknown(name, `It held last at ${clock}.`, fact)
    : contradicts(name, `${name} was ${state} at ${clock}.`, fact, { expected: clock });
}
