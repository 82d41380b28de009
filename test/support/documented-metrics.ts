import { readFileSync } from 'node:fs';

export interface DocumentedMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

const PAGE = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const [ALWAYS, OPTIONAL] = PAGE.split('\n## Of optional parts\n') as [string, string];

/** The lines of docs/metrics.md: `name{labels}`, a histogram or several after that word. */
function metricsIn(text: string): DocumentedMetric[] {
  const rows = Array.from(text.matchAll(/^- .*$/gm), ([row]) => row);
  const metrics = rows.flatMap((row) => {
    const histograms = new Set(
      Array.from(row.matchAll(/histograms? (`[^`]+`(?:[^`,]* and `[^`]+`)?)/g), ([, words]) =>
        Array.from(words!.matchAll(/tigraph_\w+/g), ([name]) => name),
      ).flat(),
    );
    return Array.from(row.matchAll(/`(tigraph_\w+)(?:\{([^}]*)\})?`/g), ([, name, labels]) => ({
      name: name!,
      type: histograms.has(name!)
        ? ('histogram' as const)
        : name!.endsWith('_total')
          ? ('counter' as const)
          : ('gauge' as const),
      labels: labels?.split(', ') ?? [],
    }));
  });
  return metrics.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What every process shows, and what it shows where a part is in use. */
export const DOCUMENTED_METRICS = metricsIn(ALWAYS);
export const OPTIONAL_METRICS = metricsIn(OPTIONAL);
