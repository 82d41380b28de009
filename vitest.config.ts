import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Threads that tests start compile what others compiled before: half of their time otherwise.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/code', import.meta.url));

/** Short files that take long: begun last, one of them would run on alone. */
const LONG = [
  'test/main/replay.test.ts',
  'test/api/replay-real-data.test.ts',
  'test/sync/live-session.test.ts',
  'test/api/look-ahead.test.ts',
  'test/main/crash.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers only queue behind one another and starve the embedded database.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
