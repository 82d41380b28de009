import type { FactRegistry, Origin } from './fact-registry.ts';

/** A record as far as it is quoted; without a rate there is none. */
export interface QuotedRecord {
  readonly kind: string;
  readonly key: string;
  readonly n: number;
  readonly dates: number;
  readonly true: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly chance: number | null;
}

const CAME: Readonly<Record<string, string>> = {
  level: 'held',
  playbook: 'made money after costs',
  swing_playbook: 'made money after costs',
  expiration: 'beat what their premium asked',
};

/** Adds what records say as `record.KIND.KEY`, with the chance beside each rate. */
export function addRecords(registry: FactRegistry, records: Iterable<QuotedRecord>, origin: Origin): void {
  for (const { kind, key, n, dates, rate, low, high, chance, ...counts } of records) {
    if (rate === null || low === null || high === null || chance === null) continue;
    const what = kind.endsWith('playbook') ? 'trade' : kind;
    const of = `${key.replaceAll('_', ' ').replace('.', ' ')} ${what}s`;
    const came = CAME[kind] ?? 'reached the target';
    registry.addAll(`record.${kind}.${key}`, origin, [
      ['rate', `share of ${of} that ${came}`, 100 * rate, 'percent'],
      ['low', `lower limit of the share of ${of} that ${came}`, 100 * low, 'percent'],
      ['high', `upper limit of the share of ${of} that ${came}`, 100 * high, 'percent'],
      ['chance', `chance of ${of}`, 100 * chance, 'percent'],
      ['true', `${of} that ${came}`, counts.true, 'count'],
      ['n', `${of} counted`, n, 'count'],
      ['dates', `dates with ${of}`, dates, 'count'],
    ]);
  }
}
