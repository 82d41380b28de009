import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Builds the Explorer into `dist`, with a Brotli and a gzip copy of every asset beside it. With `--prepare`, as part of
 * an installation, a failure is one line: the first start builds again.
 */

const ROOT = import.meta.dirname;
const ASSETS = join(ROOT, 'dist/assets');
/** Smaller files fit into the first packet. */
const COMPRESSED_BYTES_MIN = 1_024;

async function build() {
  const vite = await import('vite');
  await vite.build({ root: ROOT, logLevel: 'warn' });
  for (const name of await readdir(ASSETS)) {
    const bytes = await readFile(join(ASSETS, name));
    if (bytes.length < COMPRESSED_BYTES_MIN) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(join(ASSETS, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
    await writeFile(join(ASSETS, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
  }
}

try {
  await build();
} catch (error) {
  // A half-made page is worse than none.
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  if (!process.argv.includes('--prepare')) throw error;
  console.warn(`The Explorer could not be built (${error.message}); the first start tries again.`);
}
