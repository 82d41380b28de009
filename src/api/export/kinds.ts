import { bars } from './bars.ts';
import { facts } from './facts.ts';
import type { ExportKind } from './kind.ts';
import { levels } from './levels.ts';
import { patterns } from './patterns.ts';
import { records } from './records.ts';

/** In the order of the documents. */
export const EXPORT_KINDS: readonly ExportKind[] = [bars, facts, levels, patterns, records];
