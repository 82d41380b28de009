import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Threads that tests start compile what others compiled before: half of their time otherwise.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/code', import.meta.url));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: more workers only queue behind one another and starve the embedded database.
    maxWorkers: 2,
  },
});
