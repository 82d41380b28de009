/**
 * Programs that nobody here wrote, against a running service: the conformance suite of the Model Context Protocol, its
 * inspector, the official clients in TypeScript and Python, and an agent loop with a scripted model. They come from the npm
 * registry and PyPI, once for each version; without a registry it says so and skips what is from there. The client of TypeScript is here.
 *
 *   npm run test:agents
 */
import { deepStrictEqual as equal, match } from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TOOLS } from '../../src/agents/tools.ts';
import { pythonEngines } from '../engines/python-engines.ts';
import { DATE, PROGRAM, runProgram, settingsOn, startService } from '../engines/small-service.ts';
import { listenFixture } from '../support/mcp-fixture.ts';

const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const BUNDLER = '@anthropic-ai/mcpb@2.1.2';
const REVISION = '2026-07-28';

const SCENARIOS = [
  'server-stateless',
  'tools-list',
  'resources-list',
  'prompts-list',
  'caching',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-sse-multiple-streams',
];
/** Checks that call tools which only the fixture has. */
const NEED_FIXTURE = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];
/** Of the older revision: the server asks the client, for which it would have to keep a session; it keeps none. */
const NEED_SESSION = [
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'tools-call-elicitation',
  'tools-call-sampling',
];

const run = promisify(execFile);

/** Runs a program to its end, whatever its code; colours are left out. */
async function outputOf(command: string, words: readonly string[]): Promise<{ code: number; text: string }> {
  const options = { maxBuffer: 64_000_000, env: { ...process.env, NO_COLOR: '1' } };
  const { stdout, stderr, code } = await run(command, words, options).then(
    (output) => ({ ...output, code: 0 }),
    (error) => error as { stdout: string; stderr: string; code: number },
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes of colours.
  return { code, text: `${stdout}${stderr}`.replaceAll(/\u001b\[\d*m/g, '') };
}

const data = mkdtempSync(join(tmpdir(), 'tigraph-agents-'));
process.once('exit', () => rmSync(data, { recursive: true, force: true }));
const settings = settingsOn(data);

const tools = npmPrograms();
const python = pythonPrograms();
await runProgram(['simulate', '--symbols', '20', '--days', '300', '--minutes', '3'], settings);
const { home, service } = await startService(settings);
const symbol = 'SIMX';
if (tools !== null) {
  await checkProduct(tools);
  await checkFixture(tools);
  await inspect(tools);
  await pack(tools);
}
await connectInEveryMode();
if (python !== null) {
  const { code, text } = await outputOf(python, [
    join(import.meta.dirname, 'agent.py'),
    home,
    symbol,
    PROGRAM,
  ]);
  console.log(text.trimEnd());
  equal(code, 0);
}
service.kill('SIGTERM');
await once(service, 'exit');

/** The programs of the npm registry, installed once for their versions; null without a registry. */
function npmPrograms(): { conformance: string; inspector: string; bundler: string } | null {
  const kept = join(
    tmpdir(),
    `tigraph-agents-${[CONFORMANCE, INSPECTOR, BUNDLER].join('-').replaceAll(/[^\w.-]/g, '_')}`,
  );
  const bin = (name: string) => join(kept, 'node_modules', '.bin', name);
  if (!existsSync(kept)) {
    const unfinished = mkdtempSync(`${kept}-`);
    writeFileSync(join(unfinished, 'package.json'), '{"private":true}');
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', CONFORMANCE, INSPECTOR, BUNDLER];
    try {
      execFileSync('npm', words, { cwd: unfinished, stdio: 'ignore' });
      renameSync(unfinished, kept);
    } catch {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process may have been faster.
      if (!existsSync(kept)) {
        console.log('skipped: the npm registry has not given the conformance suite and the inspector');
        return null;
      }
    }
  }
  return { conformance: bin('conformance'), inspector: bin('mcp-inspector'), bundler: bin('mcpb') };
}

/** Python with the official client and the agent framework; null without Python or its package index. */
function pythonPrograms(): string | null {
  try {
    return join(pythonEngines('agents-requirements.txt'), 'bin', 'python');
  } catch {
    console.log('skipped: PyPI has not given the Python client and the agent framework');
    return null;
  }
}

/** The scenarios of the suite that ask for no tool of its own. */
async function checkProduct({ conformance }: { conformance: string }): Promise<void> {
  let checks = 0;
  for (const scenario of SCENARIOS) {
    const words = ['server', '--url', `${home}/mcp`, '--scenario', scenario, '--spec-version', REVISION];
    const { text } = await outputOf(conformance, words);
    const failed = Array.from(text.matchAll(/\[(\S+) *\] FAILURE/g), ([, id]) => id!).sort();
    equal(failed, scenario === 'server-stateless' ? NEED_FIXTURE : [], `${scenario}\n${text}`);
    const [, passed] = /^Passed: (\d+)\//m.exec(text) ?? [];
    checks += Number(passed);
  }
  console.log(`conformance: ${checks} checks of ${SCENARIOS.length} scenarios hold on the product`);
}

/** What a revision requires, with the tools that the suite calls, behind the handler and the hooks of the product. */
async function checkFixture({ conformance }: { conformance: string }): Promise<void> {
  const { url, close } = await listenFixture();
  for (const [revision, expected] of [
    [REVISION, []],
    ['2025-11-25', NEED_SESSION],
  ] as const) {
    const { text } = await outputOf(conformance, ['server', '--url', url, '--requirements', revision]);
    const [scored = '', notScored = ''] = text.split(/^Not scored for/m);
    const unscored = new Set(Array.from(notScored.matchAll(/^ +[✓✗] (\S+)/gm), ([, name]) => name!));
    const results = Array.from(scored.matchAll(/^([✓✗]) (\S+):/gm), ([, mark, name]) => ({
      mark,
      name: name!,
    }));
    const required = results.filter(({ name }) => !unscored.has(name));
    const failed = required.filter(({ mark }) => mark === '✗').map(({ name }) => name);
    equal(failed.sort(), expected, text);
    const without = expected.length === 0 ? '' : `, ${expected.length} need a session`;
    console.log(
      `conformance ${revision}: ${required.length - failed.length} of ${required.length} required scenarios hold${without}`,
    );
  }
  await close();
}

/** The inspector lists, by its rules of portable schemas, and calls every tool, over both transports and in both eras. */
async function inspect({ inspector }: { inspector: string }): Promise<void> {
  const overHttp = (era: string) => [
    '--server-url',
    `${home}/mcp`,
    '--transport',
    'http',
    '--protocol-era',
    era,
  ];
  const overStdio = (era: string) => ['--protocol-era', era];
  const command = ['--', PROGRAM, 'mcp', '--url', home];
  const ways = ['modern', 'legacy'].flatMap((era) => [
    { words: overHttp(era), behind: [] },
    { words: overStdio(era), behind: command },
  ]);
  const called = await Promise.all(
    ways.map(async ({ words, behind }) => {
      const list = ['--method', 'tools/list', '--strict', '--format', 'json'];
      const listed = await outputOf(inspector, ['--cli', ...words, ...list, ...behind]);
      equal(listed.code, 0, listed.text);
      for (const { name } of TOOLS) {
        const args = ['--tool-name', name, '--tool-args-json', JSON.stringify(argumentsOf(name))];
        const call = ['--method', 'tools/call', ...args, '--format', 'json'];
        const { text } = await outputOf(inspector, ['--cli', ...words, ...call, ...behind]);
        match(text, new RegExp(`\\\\"tool\\\\":\\\\"${name}\\\\"`), text);
      }
      return TOOLS.length;
    }),
  );
  const calls = called.reduce((sum, count) => sum + count);
  console.log(`inspector: ${calls} calls, every tool over both transports and in both eras`);
}

/** The extension of Claude Desktop. */
async function pack({ bundler }: { bundler: string }): Promise<void> {
  const folder = resolve(import.meta.dirname, '../../deploy/claude-desktop');
  const { code, text } = await outputOf(bundler, ['pack', folder, join(data, 'tigraph.mcpb')]);
  equal(code, 0, text);
  console.log('mcpb: the extension of Claude Desktop is valid');
}

/** Arguments that every tool answers on the simulated market. */
function argumentsOf(name: string): Record<string, unknown> {
  const special: Record<string, Record<string, unknown>> = {
    alerts: {},
    find_symbols: {},
    find_fields: { q: 'rsi' },
    // The market is too small for peers.
    get_related: { symbol, kind: 'events' },
    get_stock: { symbol, fields: ['last_price'] },
    plan: { symbols: [symbol] },
    verify_draft: { symbol, text: `${symbol} closed at $1.` },
    screen: { filter: { field: 'last_price', op: '>', value: 0 }, limit: 5 },
    backtest: {
      symbols: [symbol],
      start_date: DATE,
      end_date: DATE,
      signal_types: ['vwap_touch'],
    },
  };
  return special[name] ?? { symbol };
}

/** The official client of TypeScript, as it negotiates by default, by itself and pinned, over both transports. */
async function connectInEveryMode(): Promise<void> {
  const modes = ['legacy', 'auto', { pin: REVISION }] as const;
  for (const mode of modes) {
    for (const transport of [
      new StreamableHTTPClientTransport(new URL(`${home}/mcp`)),
      new StdioClientTransport({ command: PROGRAM, args: ['mcp'], env: settings as never, stderr: 'ignore' }),
    ]) {
      const client = new Client({ name: 'a test', version: '0' }, { versionNegotiation: { mode } });
      await client.connect(transport);
      equal((await client.listTools()).tools.length, TOOLS.length);
      const { structuredContent } = await client.callTool({ name: 'explain', arguments: { symbol } });
      equal((structuredContent as { symbol: string }).symbol, symbol);
      await client.close();
    }
  }
  console.log(`@modelcontextprotocol/client: ${modes.length} modes over both transports`);
}
