import {
  flag,
  nullableDateTime,
  nullableInteger,
  nullableNumber,
  nullableString,
  record,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const Options = record(
  'Options',
  'The option chain of the stock in figures.',
  {
    iv_percentile: nullableNumber(
      'Share of the last 252 days with IV below today, versus the 52-week range.',
      HUNDRED,
    ),
    chain_total_oi: nullableInteger('Open interest of the whole chain, contracts.'),
    chain_volume_1d: nullableInteger('Volume of the whole chain today, contracts.'),
    put_call_ratio: nullableNumber('Put volume / call volume.'),
    unusual_activity: flag(
      'True when volume of the chain is out of line with its open interest and history.',
    ),
    iv_rank: nullableNumber('(IV - low52) / (high52 - low52) * 100 of the 30-day at-the-money IV.', HUNDRED),
    iv_skew: nullableNumber('Put IV premium over call IV, 25 delta at 30 days.'),
    pricing_edge_bull: nullableNumber('Binomial value against market mid for calls; 0-10 intent.'),
    pricing_edge_bear: nullableNumber('Binomial value against market mid for puts; 0-10 intent.'),
    theta_drag_15d: nullableNumber(
      'Loss of an at-the-money 30-day premium over 15 days, percent of premium.',
    ),
    options_confluence_score: nullableNumber('How far the options measures agree.', HUNDRED),
    best_options_strategy: nullableString('Strategy with the best viability score.'),
    strategy_scores_json: nullableString('JSON-encoded per-strategy viability scores.'),
    refresh_timestamp: nullableDateTime('When the chain was taken (SLA under 60 seconds).'),
  },
  [],
);

/** The option chain. No chain is on the tape yet. */
export const options = defineBlock({
  name: 'options',
  schema: Options,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
