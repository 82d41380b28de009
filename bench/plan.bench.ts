/**
 * Promises: a plan of 50 stocks takes under 300 ms where its service has made one of the same session before, for another
 * minute, and under 10 ms again. The yardstick is stock detail with what a plan reads, of the same stocks one after the
 * other: threads, and not the event loop, are what a plan is made of.
 */
import { type Service, startService } from './program.ts';
import { type BenchLine, median, ms } from './report.ts';
import { STOCKS } from './stock-path.ts';
import { copyOfUniverse, FIVE_HUNDRED, LAST_DATE, removeFolder, symbolsOf } from './universe.ts';

const PLANNED = 50;
const MINUTES = 12;
const [ANEW_MS, AGAIN_MS] = [300, 10];
const INCLUDES = 'expected_move,level_ladder,news,patterns,strategies,volume_profile';

export async function run(): Promise<BenchLine[]> {
  const folder = await copyOfUniverse(FIVE_HUNDRED);
  const service = await startService(folder);
  try {
    const symbols = symbolsOf(folder).slice(0, PLANNED);
    const [anew, again, detail]: number[][] = [[], [], []];
    for (let minute = 0; minute < MINUTES; minute++) {
      const asOf = `as_of=${LAST_DATE}T15:${10 + 2 * minute}:00Z`;
      const plan = `/api/graph/v1/plan?symbols=${symbols.join()}&${asOf}`;
      anew!.push(await timed(service, [plan]));
      again!.push(await timed(service, [plan]));
      const other = `as_of=${LAST_DATE}T15:${11 + 2 * minute}:00Z`;
      detail!.push(
        await timed(
          service,
          symbols.map((symbol) => `${STOCKS}/${symbol}?${other}&include=${INCLUDES}`),
        ),
      );
    }
    return [
      lineOf('plan of 50 stocks, another minute', ANEW_MS, anew!, detail!),
      lineOf('plan of 50 stocks, again', AGAIN_MS, again!, detail!),
    ];
  } finally {
    await service.stop();
    removeFolder(folder);
  }
}

/** Milliseconds of answers one after the other. */
async function timed({ port }: Service, paths: readonly string[]): Promise<number> {
  const began = performance.now();
  for (const path of paths) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (answer.status !== 200) throw new Error(`${answer.status} of ${path.slice(-60)}`);
    await answer.arrayBuffer();
  }
  return performance.now() - began;
}

const lineOf = (
  promise: string,
  promisedMs: number,
  times: readonly number[],
  yardstick: readonly number[],
): BenchLine => ({
  promise,
  // The first one reads the files of the session.
  figure: ms(median(times.slice(1))),
  ratio: median(times.slice(1)) / median(yardstick.slice(1)),
  target: `under ${promisedMs} ms`,
  met: median(times.slice(1)) < promisedMs,
});
