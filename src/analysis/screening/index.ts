export { checkScreen, NEAR_MISSES_MAX, SELECT_MAX, SORT_KEYS_MAX } from './check.ts';
export { COMPUTED_MAX } from './check-computed.ts';
export { DEPTH_MAX, NODES_MAX, operatorsOf, VALUES_MAX } from './check-conditions.ts';
export { runScreen } from './run.ts';
export type {
  Operand,
  Screen,
  Screened,
  ScreenFault,
  ScreenField,
  ScreenTable,
} from './screen.ts';
