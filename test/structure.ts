/**
 * Checks the imports of `src`, `explorer`, `clients`, `bench` and `test`: they go one way, types included, and in no
 * circle. ARCHITECTURE.md says why.
 *
 *   npm run structure
 */
import { registerHooks } from 'node:module';

const BELOW_WORKERS = [
  'base',
  'database',
  'bus',
  'market',
  'tape',
  'analysis',
  'blocks',
  'derive',
  'graph',
  'records',
];

/** What a folder of `src` may import: another folder, or (with `types:`) only types of it. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  database: ['base'],
  bus: ['base', 'database'],
  market: ['base', 'database'],
  tape: ['base', 'database', 'market'],
  files: ['base', 'market'],
  live: ['base', 'bus', 'market', 'tape', 'files'],
  // A session of it runs as that of any source.
  simulated: ['base', 'market', 'types:tape', 'live'],
  // Nothing of base that has a clock or waits.
  analysis: ['base/columns.ts', 'base/dates.ts', 'base/once-for.ts', 'base/with-late.ts', 'types:market'],
  blocks: ['base', 'types:market', 'analysis'],
  derive: ['base', 'market', 'tape', 'analysis', 'blocks'],
  // What it stores has the shape that derivation gives it.
  graph: ['base', 'database', 'types:derive'],
  records: ['base', 'database', 'market', 'tape', 'analysis', 'blocks', 'derive', 'graph'],
  texts: ['base', 'types:market', 'analysis', 'blocks', 'derive'],
  alerts: ['base', 'database', 'market', 'tape', 'analysis', 'derive', 'graph', 'texts'],
  export: ['base', 'types:derive'],
  workers: ['base', 'market', 'tape', 'files', 'analysis', 'blocks', 'derive', 'records', 'export'],
  backtests: [...BELOW_WORKERS, 'workers'],
  backup: [...BELOW_WORKERS, 'workers'],
  pipeline: [...BELOW_WORKERS, 'live', 'alerts', 'workers', 'backtests', 'backup'],
  agents: ['base', 'derive', 'texts'],
  api: [...BELOW_WORKERS, 'files', 'texts', 'alerts', 'export', 'workers', 'backtests', 'agents'],
  cli: [
    ...BELOW_WORKERS.filter((folder) => !['bus', 'analysis', 'blocks', 'derive', 'graph'].includes(folder)),
    ...[
      'files',
      'simulated',
      'live',
      'alerts',
      'export',
      'workers',
      'pipeline',
      'backup',
      'agents',
      'api',
      'app.ts',
      'config.ts',
    ],
  ],
};

/** Folders of `api` that no resource lies below, and what they may import of one another. */
const API_EDGES: Readonly<Record<string, readonly string[]>> = {
  access: [],
  context: ['access'],
  http: ['access', 'context', 'answers'],
  answers: ['access', 'context'],
};

/** The one place for a request's shape, and for what a status means. */
const ROUTING = '^src/api/(?:http|server)/|^src/api/[^/]+/routes\\.ts$';

const foldersOf = (names: readonly string[]): string =>
  `^src/(?:${names.map((name) => (name.endsWith('.ts') ? `${name.replace('.', '\\.')}$` : `${name}/`)).join('|')})`;

const typesOf = (edges: readonly string[]): string[] =>
  edges.flatMap((edge) => (edge.startsWith('types:') ? [edge.slice('types:'.length)] : []));

const rulesOfSource = Object.entries(EDGES).flatMap(([folder, edges]) => {
  const whole = [folder, ...edges.filter((edge) => !edge.startsWith('types:'))];
  const types = typesOf(edges);
  const from = { path: `^src/${folder}/` };
  return [
    {
      name: `${folder} imports what the table allows`,
      from,
      to: { path: '^src/', pathNot: foldersOf([...whole, ...types]) },
    },
    ...(types.length === 0
      ? []
      : [
          {
            name: `${folder} imports only types of ${types.join(', ')}`,
            from,
            to: { path: foldersOf(types), dependencyTypesNot: ['type-only' as const] },
          },
        ]),
  ];
});

const rulesOfApi = [
  ...Object.entries(API_EDGES).map(([folder, edges]) => ({
    name: `api/${folder} lies below the resources`,
    from: { path: `^src/api/${folder}/` },
    to: { path: '^src/api/', pathNot: `^src/api/(?:${[folder, ...edges].join('|')})/` },
  })),
  {
    name: 'the server lies above the resources',
    from: { path: '^src/api/', pathNot: '^src/api/server/' },
    to: { path: '^src/api/server/' },
  },
  {
    name: 'routes are for the server alone',
    from: { path: '^src/api/', pathNot: '^src/api/server/' },
    to: { path: '^src/api/[^/]+/routes\\.ts$' },
  },
  {
    name: 'a use case knows nothing of HTTP',
    from: { path: '^src/api/', pathNot: ROUTING },
    to: { path: '^src/api/http/|^node_modules/fastify/' },
  },
];

const rulesBeside = [
  {
    name: 'src stands alone',
    from: { path: '^src/' },
    to: { path: '^(?:explorer|clients|bench|test)/' },
  },
  {
    name: 'the Explorer knows the service through the client',
    from: { path: '^explorer/' },
    to: { path: '^(?:src|bench|test)/' },
  },
  {
    name: 'shared pieces of the Explorer lie below its pages',
    from: { path: '^explorer/src/shared/' },
    to: { path: '^explorer/src/', pathNot: '^explorer/src/shared/' },
  },
  {
    name: 'a page of the Explorer imports no other',
    from: { path: '^explorer/src/([^/]+)/', pathNot: '^explorer/src/(?:app|shared)/' },
    to: { path: '^explorer/src/', pathNot: '^explorer/src/(?:shared|$1)/' },
  },
  {
    name: 'a client knows nothing of the service but its document',
    from: { path: '^clients/' },
    to: { path: '^(?:src|explorer|bench|test)/' },
  },
  {
    name: 'bench measures the service, not the Explorer',
    from: { path: '^bench/' },
    to: { path: '^explorer/' },
  },
  { name: 'no circle', from: {}, to: { circular: true } },
  { name: 'every import is found', from: {}, to: { couldNotResolve: true } },
];

/** The compiler's JavaScript API, by which the tool reads imports, is not part of version 7. */
registerHooks({
  resolve: (name, context, next) => next(name.replace(/^typescript(?=$|\/)/, 'typescript-6'), context),
});
const { cruise } = await import('dependency-cruiser');

const { output } = await cruise(['src', 'explorer/src', 'clients/typescript', 'bench', 'test'], {
  validate: true,
  ruleSet: {
    forbidden: [...rulesOfSource, ...rulesOfApi, ...rulesBeside].map((rule) => ({
      severity: 'error' as const,
      ...rule,
    })),
  },
  tsPreCompilationDeps: 'specify',
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['tigraph-source', 'import', 'types', 'node', 'default'],
  },
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '/(?:dist|build)/' },
});
if (typeof output === 'string') throw new Error(output);
const { violations, totalCruised = 0, totalDependenciesCruised = 0 } = output.summary;
for (const { rule, from, to, cycle } of violations) {
  const path = cycle === undefined ? to : cycle.map(({ name }) => name).join(' -> ');
  console.error(`${from} -> ${path}: ${rule.name}`);
}
console.log(
  `${totalCruised} files, ${totalDependenciesCruised} imports, ${violations.length} not as they should be`,
);
// A reader that finds nothing would let everything pass.
const isRead = totalDependenciesCruised > 5_000;
if (!isRead) console.error('Too few imports were found: the files were not read.');
process.exitCode = violations.length === 0 && isRead ? 0 : 1;
