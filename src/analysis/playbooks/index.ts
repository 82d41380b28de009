/**
 * The library of playbooks. Everything that `PLAYBOOKS` holds is plain data; `matchPlaybooks` evaluates it against the
 * inputs of a stock at an instant.
 */
export { verdictOf } from './condition.ts';
export {
  INPUT_MEANINGS,
  mirroredInputs,
  PLAYBOOK_INPUTS,
  type PlaybookInput,
  type PlaybookInputs,
} from './inputs.ts';
export { PLAYBOOKS, playbookOf } from './library.ts';
export { PLAYBOOK_LINES } from './lines.ts';
export { isTradable, MATCH_FROM, matchOf, matchPlaybooks, type PlaybookMatch } from './match.ts';
export {
  areOpposed,
  PLAYBOOK_DIRECTIONS,
  type Playbook,
  textOf,
} from './playbook.ts';
export type { PriceForm } from './prices.ts';
export { sessionFigures } from './session-figures.ts';
