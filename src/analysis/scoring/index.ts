export {
  COMPONENT_NAMES,
  COMPONENTS,
  type Component,
  type ComponentName,
  MAXIMUM,
  type ScoreTable,
  scorePair,
  scoreTable,
} from './components.ts';
export { conviction, isFresh } from './conviction.ts';
export { patternEvidence, upVolumeShare } from './daily.ts';
export {
  ENTRY_COMPONENTS,
  type EntryContext,
  entryInputs,
  entryInstant,
  entryTable,
  entryWeights,
  type GammaModifier,
  RECENT_FLOW_MINUTES,
} from './entry.ts';
export { allGatesPassed, type EntryGate, entryGates } from './entry-gates.ts';
export { type Flip, nearestFlip } from './flip.ts';
export {
  FAST_INPUTS,
  type FastInputs,
  INPUT_NAMES,
  type InputName,
  NO_INPUTS,
  SCALES,
  type ScoreInputs,
} from './inputs.ts';
export { type Ledger, missingInputs, type TwoSided, twoSided } from './ledger.ts';
export { type HealthLine, momentumHealth } from './momentum-health.ts';
export type { Pair, Side } from './pair.ts';
export {
  PULSE_BIASES,
  PULSE_COMPONENTS,
  PULSE_WEIGHTS,
  type PulseFlow,
  pulseBias,
  pulseInputs,
  pulseInstant,
  pulseTable,
} from './pulse.ts';
export { regime, volatilityPercentile } from './regime.ts';
export { fastInputs, lastBarEnd, type SessionPath, sessionPath } from './session.ts';
export { bias, dominance, TIERS, tier, V3_TIERS, V5_TIERS } from './tiers.ts';
export { scoreWarnings } from './warnings.ts';
export { V3_WEIGHTS, V5_WEIGHTS, V45_WEIGHTS, type Weights } from './weights.ts';
