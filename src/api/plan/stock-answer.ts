import type { Static } from 'typebox';
import type { NestedOf } from '../../blocks/block.ts';
import type { confluenceV5 } from '../../blocks/confluence-v5.ts';
import type { earnings } from '../../blocks/earnings.ts';
import type { expectedMove } from '../../blocks/expected-move.ts';
import type { levelLadder } from '../../blocks/level-ladder.ts';
import type { news } from '../../blocks/news.ts';
import type { patterns } from '../../blocks/patterns.ts';
import type { price } from '../../blocks/price.ts';
import type { range3d } from '../../blocks/range-3d.ts';
import type { RecordBeside } from '../../blocks/record-beside.ts';
import type { strategies } from '../../blocks/strategies.ts';
import type { technical } from '../../blocks/technical.ts';
import type { volumeProfile } from '../../blocks/volume-profile.ts';

/** What of a stock's answer goes into a plan: blocks as they are on the wire. */
export interface StockAnswer {
  readonly symbol: string;
  readonly company_name: string | null;
  readonly updated_at: string;
  readonly last_price: number | null;
  readonly halted: boolean | null;
  readonly price: NestedOf<typeof price>;
  readonly technical: NestedOf<typeof technical>;
  readonly range_3d: NestedOf<typeof range3d>;
  readonly earnings: NestedOf<typeof earnings>;
  readonly gex_regime: 'long_gamma' | 'short_gamma' | 'neutral' | null;
  readonly gex_gamma_flip: number | null;
  readonly gex_sessions_old: number | null;
  readonly directional_bias: string | null;
  readonly bullish_tier: string | null;
  readonly bearish_tier: string | null;
  readonly net_confluence: number | null;
  readonly confluence_v5: NestedOf<typeof confluenceV5>;
  readonly level_ladder: NestedOf<typeof levelLadder>;
  readonly volume_profile: NestedOf<typeof volumeProfile>;
  readonly patterns: NestedOf<typeof patterns>;
  readonly strategies: NestedOf<typeof strategies>;
  readonly expected_move: NestedOf<typeof expectedMove>;
  readonly news: NestedOf<typeof news>;
}

/** The include words that bring it. */
export const PLAN_INCLUDES = [
  'expected_move',
  'level_ladder',
  'news',
  'patterns',
  'strategies',
  'volume_profile',
] as const;

export type Beside = Static<typeof RecordBeside>;
/** The record of claims by its id, `level.pivot`; null where nothing is counted. */
export type RecordOf = (id: string) => Beside | null;

/** The score at the end of a session, its evening included. */
export type ClosingScore = Pick<StockAnswer, 'confluence_v5'> & { readonly tradeDate: string };

/** What a plan of one stock is made of. */
export interface Planned {
  /** As of the plan's instant. */
  readonly stock: StockAnswer;
  /** Session of its figures: that of the plan, or the one before while none has printed. */
  readonly tradeDate: string;
  /** The stock at the close before that session, its evening included; null where it has none. */
  readonly before: ClosingScore | null;
  readonly recordOf: RecordOf;
  readonly simulated: boolean;
}

/** Of which session a plan is, and what it may show. */
export interface PlanDay {
  readonly date: string;
  /** The session before it. */
  readonly previous: string;
  /** Whether it is in another week or month than the one before. */
  readonly isNewWeek: boolean;
  readonly isNewMonth: boolean;
  /** Epoch milliseconds: what became known until the close before is no news. */
  readonly previousClose: number;
  /** Whether levels count whose kind held less often than chance. */
  readonly all: boolean;
}
