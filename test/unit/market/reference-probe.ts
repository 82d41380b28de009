import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyFact, FactKind, ReportedFact } from '../../../src/market/facts.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { referenceFeed } from '../../../src/market/feeds/reference.ts';
import type { SplitSource } from '../../../src/market/feeds/reference-splits.ts';
import { deliveriesOf, refusedByReason } from './feed-probe.ts';

export type ToldFact = AnyFact & { readonly symbol: string };

export interface Told {
  readonly deliveries: readonly Delivery[];
  readonly facts: readonly ToldFact[];
  readonly refused: Readonly<Record<string, number>>;
}

/** What the feed makes of files given by folder and name, all of them or those whose key matches. */
export async function told(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly splitSources?: () => Promise<readonly SplitSource[]> } = {},
): Promise<Told> {
  const folders = filesUnder(mkdtempSync(join(folder, 'reference-')), files);
  const feed = referenceFeed({ folders, splitSources: options.splitSources });
  const deliveries = await deliveriesOf(feed);
  return { deliveries, facts: factsIn(deliveries), refused: refusedByReason(deliveries) };
}

/** Writes the files; the paths of their folders. */
export function filesUnder(root: string, files: Readonly<Record<string, string | Uint8Array>>): string[] {
  const folders = new Set<string>();
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    folders.add(join(path, '..'));
  }
  return [...folders];
}

export function factsIn(deliveries: readonly Delivery[]): ToldFact[] {
  return deliveries
    .filter((delivery) => delivery.kind === 'facts')
    .flatMap(({ symbol, facts }) => facts.map((fact) => ({ ...fact, symbol })));
}

/** Facts of a kind of a symbol, in the order of delivery. */
export function ofKind<Kind extends FactKind>(
  facts: readonly ToldFact[],
  kind: Kind,
  symbol?: string,
): ReportedFact<Kind>[] {
  return facts.filter(
    (fact) => fact.kind === kind && (symbol === undefined || fact.symbol === symbol),
  ) as unknown as ReportedFact<Kind>[];
}

export const instant = (text: string): number => Date.parse(text);
