import { analyst } from './analyst.ts';
import type { Block } from './block.ts';
import { chainState } from './chain-state.ts';
import { componentScores } from './component-scores.ts';
import { compression } from './compression.ts';
import { confluence } from './confluence.ts';
import { confluenceComponents } from './confluence-components.ts';
import { confluenceV5 } from './confluence-v5.ts';
import { convictionV5 } from './conviction-v5.ts';
import { dayContext } from './day-context.ts';
import { earnings } from './earnings.ts';
import { entryV2 } from './entry-v2.ts';
import { expectedMove } from './expected-move.ts';
import { freshness } from './freshness.ts';
import { fundamental } from './fundamental.ts';
import { gates } from './gates.ts';
import { gex } from './gex.ts';
import { halts } from './halts.ts';
import { identity } from './identity.ts';
import { levelLadder } from './level-ladder.ts';
import { levels } from './levels.ts';
import { momentum } from './momentum.ts';
import { momentumHealthV5 } from './momentum-health-v5.ts';
import { news } from './news.ts';
import { options } from './options.ts';
import { orderFlow } from './order-flow.ts';
import { ownership } from './ownership.ts';
import { patterns } from './patterns.ts';
import { peerDivergenceV1 } from './peer-divergence-v1.ts';
import { price } from './price.ts';
import { priceEvents } from './price-events.ts';
import { priceVolume } from './price-volume.ts';
import { pulseV5 } from './pulse-v5.ts';
import { range3d } from './range-3d.ts';
import { regimeV5 } from './regime-v5.ts';
import { scoreInputs } from './score-inputs.ts';
import { sessionColumns } from './session-columns.ts';
import { strategies } from './strategies.ts';
import { technical } from './technical.ts';
import { thematicExposures } from './thematic-exposures.ts';
import { volumeProfile } from './volume-profile.ts';

const REPORTED_FACTS: readonly Block[] = [
  identity,
  halts,
  freshness,
  fundamental,
  earnings,
  analyst,
  ownership,
  news,
  thematicExposures,
];

const MEASURES: readonly Block[] = [
  sessionColumns,
  priceVolume,
  price,
  technical,
  momentum,
  compression,
  range3d,
  volumeProfile,
  dayContext,
  orderFlow,
  chainState,
  gex,
  options,
  expectedMove,
];

const RELATIONS: readonly Block[] = [levels, patterns, priceEvents, levelLadder, peerDivergenceV1, regimeV5];

const SCORES: readonly Block[] = [
  scoreInputs,
  componentScores,
  gates,
  confluenceComponents,
  confluence,
  confluenceV5,
  momentumHealthV5,
  convictionV5,
  pulseV5,
  entryV2,
  strategies,
];

/** Every block in the order of reasoning: a block reads only those before it. */
export const blocks: readonly Block[] = [...REPORTED_FACTS, ...MEASURES, ...RELATIONS, ...SCORES];
