import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The folder of the comparison programs: TIGRAPH_YARDSTICKS or ../shared/yardsticks; null when there is none.
 */
export function yardstickFolder(): string | null {
  const folder =
    process.env.TIGRAPH_YARDSTICKS ?? new URL('../../shared/yardsticks', import.meta.url).pathname;
  return existsSync(folder) ? folder : null;
}

/** A yardstick that can be run, or the reason why it cannot. */
export type Yardstick = { readonly program: string } | { readonly missing: string };

/** Compiles a C yardstick at -O3 into `folder`. */
function compileC(source: string, folder: string, options: readonly string[]): Yardstick {
  if (!existsSync(source)) return { missing: `${basename(source)} is not in the yardsticks` };
  const program = join(folder, basename(source, '.c'));
  const made = spawnSync('gcc', ['-O3', '-o', program, source, ...options], { encoding: 'utf8' });
  if (made.error) return { missing: 'gcc is not installed' };
  return made.status === 0
    ? { program }
    : { missing: `gcc refused ${basename(source)}: ${made.stderr.trim()}` };
}

/** The TA-Lib yardstick, compiled into `folder` against whatever TA-Lib this machine has. */
export function talibYardstick(folder: string): Yardstick {
  const yardsticks = yardstickFolder();
  if (yardsticks === null) return { missing: 'no yardsticks: set TIGRAPH_YARDSTICKS' };
  const library = talibLibrary();
  if (library === null) return { missing: 'no TA-Lib: set TIGRAPH_TALIB to its library, or TIGRAPH_PYTHON' };
  const include = join(folder, 'include');
  mkdirSync(include, { recursive: true });
  writeFileSync(join(include, 'ta_libc.h'), TALIB_HEADER);
  const options = [`-I${include}`, library, '-lm', `-Wl,-rpath,${dirname(library)}`];
  return compileC(join(yardsticks, 'indicators', 'talib_batch.c'), folder, options);
}

/** The C library: TIGRAPH_TALIB, an installed one, or the one that Python's wheel of TA-Lib carries. */
function talibLibrary(): string | null {
  const named = process.env.TIGRAPH_TALIB;
  if (named !== undefined) return existsSync(named) ? named : null;
  for (const folder of [
    '/usr/local/lib',
    '/usr/lib/x86_64-linux-gnu',
    '/usr/lib/aarch64-linux-gnu',
    '/usr/lib',
  ]) {
    for (const file of ['libta-lib.so', 'libta_lib.so', 'libta-lib.a', 'libta_lib.a']) {
      if (existsSync(join(folder, file))) return join(folder, file);
    }
  }
  return libraryOfWheel(process.env.TIGRAPH_PYTHON ?? 'python3');
}

function libraryOfWheel(python: string): string | null {
  try {
    const ask = 'import importlib.util as u; print(u.find_spec("talib").origin)';
    const module = execFileSync(python, ['-c', ask], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const folder = join(dirname(dirname(module)), 'ta_lib.libs');
    const file = readdirSync(folder).find((name) => name.startsWith('libta'));
    return file === undefined ? null : join(folder, file);
  } catch {
    return null;
  }
}

/**
 * Declarations of the functions that the yardstick calls: a wheel carries the library without its headers.
 */
const TALIB_HEADER = `
typedef int TA_RetCode;
#define TA_MAType_SMA 0
TA_RetCode TA_Initialize(void);
TA_RetCode TA_Shutdown(void);
const char *TA_GetVersionString(void);
TA_RetCode TA_SMA(int, int, const double *, int, int *, int *, double *);
TA_RetCode TA_EMA(int, int, const double *, int, int *, int *, double *);
TA_RetCode TA_RSI(int, int, const double *, int, int *, int *, double *);
TA_RetCode TA_MACD(int, int, const double *, int, int, int, int *, int *, double *, double *, double *);
TA_RetCode TA_ADX(int, int, const double *, const double *, const double *, int, int *, int *, double *);
TA_RetCode TA_ATR(int, int, const double *, const double *, const double *, int, int *, int *, double *);
TA_RetCode TA_BBANDS(int, int, const double *, int, double, double, int, int *, int *, double *, double *,
                     double *);
`;
