import type { Condition, Expression, Operand, Screen } from '../../analysis/screening/screen.ts';

/** The paths of every field that a screen uses. */
export function screenPaths({ filter, computed, sort, select }: Screen): Set<string> {
  const paths = new Set<string>();
  const add = (operand: Operand): void => {
    if (operand.kind === 'field') paths.add(operand.path);
  };
  if (filter !== null) addCondition(filter, add);
  for (const expression of computed.values()) addExpression(expression, add);
  for (const { by } of sort) add(by);
  for (const operand of select) add(operand);
  return paths;
}

function addCondition(condition: Condition, add: (operand: Operand) => void): void {
  switch (condition.kind) {
    case 'all':
    case 'any':
      for (const each of condition.of) addCondition(each, add);
      break;
    case 'not':
      addCondition(condition.of, add);
      break;
    case 'compare_fields':
      add(condition.left);
      add(condition.right);
      break;
    default:
      add(condition.left);
  }
}

function addExpression(expression: Expression, add: (operand: Operand) => void): void {
  if (expression.kind === 'call') for (const each of expression.of) addExpression(each, add);
  else if (expression.kind !== 'constant') add(expression);
}
