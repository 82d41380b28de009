import { alerts } from './alerts.ts';
import { backtest } from './backtest.ts';
import { brief } from './brief.ts';
import { explain } from './explain.ts';
import { findFields } from './find-fields.ts';
import { findSymbols } from './find-symbols.ts';
import { getOptions } from './get-options.ts';
import { getRecords } from './get-records.ts';
import { getRelated } from './get-related.ts';
import { getSeries } from './get-series.ts';
import { getStock } from './get-stock.ts';
import { plan } from './plan.ts';
import { screen } from './screen.ts';
import type { Tool } from './tool.ts';
import { verifyDraft } from './verify-draft.ts';

/** In a fixed order: clients cache prompts by it. */
export const TOOLS: readonly Tool[] = [
  findSymbols,
  findFields,
  brief,
  getStock,
  getSeries,
  explain,
  verifyDraft,
  screen,
  plan,
  getOptions,
  getRelated,
  getRecords,
  backtest,
  alerts,
];
