import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FAULT_POINTS, type FaultPoint } from '../../src/base/fault-points.ts';
import { SEED } from '../support/depth.ts';
import { enginesHere, FAULT_SCENARIOS, type FaultScenario } from '../support/fault-scenarios.ts';
import { temporaryDirectory } from '../support/tape.ts';

/**
 * Every fault point of every write path: the process is killed there, another one finishes the work, and the store is
 * compared with that of a twin that nobody killed. `npm run test:faults` takes all of them, `npm test` some by a seed.
 */

const ALL = process.env.TIGRAPH_TEST_FAULTS === 'all';
const SAMPLE = { scenarios: 1, kills: 1 };
const PASSAGES = [1, 2, 10];
/** Scenarios, or kills, at a time. */
const AT_ONCE = 2;
/** A process that does not end by then never will. */
const ENDS_WITHIN_MS = 90_000;

const SCRIPT = fileURLToPath(new URL('../support/fault-process.ts', import.meta.url));

type Part = 'prepare' | 'work' | 'finish' | 'answers' | 'otherwise';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Queries that find a row from then on. */
  readonly acknowledged: readonly string[];
}

/** Does a part of a scenario in a process of its own. */
function run(
  scenario: string,
  directory: string,
  part: Part,
  fault = '',
  acknowledged: readonly string[] = [],
) {
  const words = [SCRIPT, scenario, directory, part, JSON.stringify(acknowledged)];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, TIGRAPH_FAULT: fault },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: ENDS_WITHIN_MS,
  });
  const texts = ['', ''];
  for (const [index, stream] of [child.stderr, child.stdio[3]].entries())
    stream!.on('data', (bytes) => {
      texts[index] += bytes;
    });
  return new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      const [stderr, lines] = texts as [string, string];
      const whole = lines.split('\n').slice(0, -1);
      resolve({ code, signal, stderr, acknowledged: whole.map((line) => JSON.parse(line) as string) });
    });
  });
}

async function mustEnd(ended: Promise<Ended>, what: string): Promise<void> {
  const { code, signal, stderr } = await ended;
  if (code !== 0) throw new Error(`${what} ended with ${code ?? signal}: ${stderr}`);
}

type Answers = Readonly<Record<string, string>>;

const answersIn = (directory: string): Answers =>
  JSON.parse(readFileSync(join(directory, 'answers.json'), 'utf8')) as Answers;

/** A scenario that has run once without a kill. */
interface Twin {
  readonly scenario: string;
  /** What every run begins with a copy of. */
  readonly prepared: string;
  readonly answers: Answers;
  /** How often each point was passed. */
  readonly passages: ReadonlyMap<string, number>;
}

async function prepareIn(directory: string, scenario: string): Promise<void> {
  await mkdir(directory);
  await mustEnd(run(scenario, directory, 'prepare'), `the preparation of ${scenario}`);
}

/** What lies in an engine cannot be copied, and is made again. */
const beginIn = (directory: string, scenario: string, prepared: string): Promise<void> =>
  FAULT_SCENARIOS[scenario]!.engine === undefined
    ? cp(prepared, directory, { recursive: true })
    : prepareIn(directory, scenario);

async function runTwin(scenario: string, scratch: string): Promise<Twin> {
  const prepared = join(scratch, `${Object.keys(FAULT_SCENARIOS).indexOf(scenario)}`);
  const [directory, trace] = [`${prepared}-twin`, `${prepared}-trace`];
  if (FAULT_SCENARIOS[scenario]!.engine === undefined) await prepareIn(prepared, scenario);
  await beginIn(directory, scenario, prepared);
  await mustEnd(run(scenario, directory, 'work', `trace:${trace}`), scenario);
  await mustEnd(run(scenario, directory, 'answers'), `the answers of ${scenario}`);
  const points = readFileSync(trace, 'utf8').split('\n').slice(0, -1);
  const passages = new Map(Array.from(Map.groupBy(points, String), ([point, all]) => [point, all.length]));
  const answers = answersIn(directory);
  await rm(directory, { recursive: true });
  await mustBeSameOtherwise(scenario, prepared, answers);
  return { scenario, prepared, answers, passages };
}

/** Where a scenario has another way to the same. */
async function mustBeSameOtherwise(scenario: string, prepared: string, answers: Answers): Promise<void> {
  if (FAULT_SCENARIOS[scenario]!.otherwise === undefined) return;
  const directory = `${prepared}-otherwise`;
  await beginIn(directory, scenario, prepared);
  await mustEnd(run(scenario, directory, 'otherwise'), `the other way of ${scenario}`);
  const differing = differences(answers, answersIn(directory));
  if (differing !== null) throw new Error(`${scenario}, in another way: ${differing}`);
  await rm(directory, { recursive: true });
}

interface Kill {
  readonly twin: Twin;
  readonly point: string;
  readonly passage: number;
}

/** Kills, finishes and compares; says what went wrong, or null. */
async function kill({ twin, point, passage }: Kill): Promise<string | null> {
  const { scenario, prepared } = twin;
  const fault = `${point}:${passage}`;
  const directory = `${prepared}-${fault}`;
  await beginIn(directory, scenario, prepared);
  try {
    const killed = await run(scenario, directory, 'work', fault);
    if (killed.signal !== 'SIGKILL')
      return `${scenario}, ${fault}: ended with ${killed.code}: ${killed.stderr}`;
    const finished = await run(scenario, directory, 'finish', '', killed.acknowledged);
    if (finished.code !== 0)
      return `${scenario}, ${fault}: finished with ${finished.code ?? finished.signal}: ${finished.stderr}`;
    const differing = differences(twin.answers, answersIn(directory));
    return differing === null ? null : `${scenario}, ${fault}: ${differing}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function differences(expected: Answers, found: Answers): string | null {
  const names = Object.keys(expected).filter((name) => found[name] !== expected[name]);
  return names.map((name) => differenceOf(name, expected, found)).join('; ') || null;
}

const SHOWN = 160;

function differenceOf(name: string, expected: Answers, found: Answers): string {
  const [one, other] = [expected[name]!, found[name] ?? 'nothing'];
  let from = 0;
  while (one[from] === other[from] && from < one.length) from++;
  const part = (text: string): string => text.slice(Math.max(0, from - SHOWN / 2), from + SHOWN);
  return `${name} is …${part(other)}… and not …${part(one)}…`;
}

/** Each passage of each point in the first scenario that has it, and in those that are killed at every point. */
function killsOf(twins: readonly Twin[]): Kill[] {
  return Object.keys(FAULT_POINTS).flatMap((point) =>
    PASSAGES.flatMap((passage) => {
      const passing = twins.filter(({ passages }) => (passages.get(point) ?? 0) >= passage);
      return passing
        .filter(({ scenario }, at) => at === 0 || FAULT_SCENARIOS[scenario]!.everyPoint === true)
        .map((twin) => ({ twin, point, passage }));
    }),
  );
}

/** Numbers from 0 to 1 that follow from a text. */
function* drawsFrom(seed: string): Generator<number, never> {
  let state = 2_166_136_261;
  for (const letter of seed) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

function sampleOf<T>(all: readonly T[], count: number, draws: Generator<number, never>): T[] {
  return all
    .map((value) => ({ value, order: draws.next().value }))
    .sort((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Works on all values, some at a time; in the order of the values. */
async function inTurns<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...values.entries()];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

describe('a process that is killed behind a durable step', () => {
  it('loses nothing that it has acknowledged, and leaves work that another one finishes as if nothing had been', {
    timeout: ALL ? 3_600_000 : 180_000,
  }, async () => {
    const scratch = temporaryDirectory();
    const draws = drawsFrom(String(SEED));
    const here = enginesHere();
    const isHere = ({ engine }: FaultScenario): boolean => engine === undefined || here.includes(engine.kind);
    const [possible, missing] = [true, false].map((wanted) =>
      Object.entries(FAULT_SCENARIOS).filter(([, scenario]) => isHere(scenario) === wanted),
    ) as [[string, FaultScenario][], [string, FaultScenario][]];
    const unreachable = missing.flatMap(([, { engine }]) => engine!.points);
    const names = possible.map(([name]) => name);
    const chosen = ALL ? names : sampleOf(names, SAMPLE.scenarios, draws);
    const twins = await inTurns(chosen, (name) => runTwin(name, scratch));
    if (ALL) {
      const passed = new Set(twins.flatMap(({ passages }) => [...passages.keys()]));
      const points = Object.keys(FAULT_POINTS) as FaultPoint[];
      expect(points.filter((point) => !passed.has(point) && !unreachable.includes(point))).toEqual([]);
    }
    const kills = ALL
      ? killsOf(twins)
      : twins.flatMap((twin) => sampleOf(killsOf([twin]), SAMPLE.kills, draws));
    const failures = await inTurns(kills, async (each) => {
      const failure = await kill(each);
      // A whole run takes minutes.
      if (failure !== null) console.error(failure);
      return failure;
    });
    const differing = failures.filter((failure) => failure !== null);
    const points = new Set(kills.map(({ point }) => point));
    const where = ALL ? '' : ` in ${chosen.join(' and ')}, by the seed ${SEED}`;
    if (ALL && unreachable.length > 0)
      console.log(`not killed, without their engines: ${unreachable.join(', ')}`);
    console.log(
      `fault points: ${points.size} points, ${kills.length} kills, ${differing.length === 0 ? 'all equal' : `${differing.length} not equal`}${where}`,
    );
    expect(differing).toEqual([]);
  });
});
