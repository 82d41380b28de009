import { checkComputed, computedTexts } from './check-computed.ts';
import { checkFilter, isRecord, refuseOthers } from './check-conditions.ts';
import { operandNamed } from './expression.ts';
import { Faults } from './faults.ts';
import { lookUp, type Names } from './names.ts';
import type { Operand, Screen, ScreenFault, ScreenField, SortKey } from './screen.ts';

export const SORT_KEYS_MAX = 8;
export const SELECT_MAX = 100;
export const NEAR_MISSES_MAX = 100;

/** Keys that are checked here, and those of the page, which the caller checks. */
const OWN_KEYS = ['filter', 'computed', 'sort', 'select', 'near_misses'];
const PAGE_KEYS = ['limit', 'cursor', 'date', 'market', 'closes'];

export interface CheckedScreen {
  /** Null where there is a fault. */
  readonly screen: Screen | null;
  /** Every fault at once, 100 at most. */
  readonly faults: readonly ScreenFault[];
}

/**
 * The screen of a request: `filter`, `computed`, `sort`, `select` and `near_misses` of its parsed body, all optional.
 * The keys of the page are ignored, any other key is a fault. Time and memory are proportional to the body;
 * fields are looked up by name, never through a prototype.
 *
 * @param selected paths of the fields that are answered where the request selects none
 */
export function checkScreen(
  body: unknown,
  fields: ReadonlyMap<string, ScreenField>,
  selected: readonly string[] = [],
): CheckedScreen {
  const faults = new Faults();
  if (!isRecord(body)) {
    faults.wrongType([], 'record', body);
    return { screen: null, faults: faults.list };
  }
  const given = (key: string): unknown => (Object.hasOwn(body, key) ? body[key] : undefined);
  refuseOthers(body, [...OWN_KEYS, ...PAGE_KEYS], [], faults);
  const texts = computedTexts(given('computed'), faults);
  const names: Names = { fields, computed: new Set(texts.keys()) };
  const screen: Screen = {
    filter: isAbsent(given('filter')) ? null : checkFilter(given('filter'), names, faults),
    computed: checkComputed(texts, names, faults),
    sort: checkSort(given('sort'), names, faults),
    select: checkSelect(given('select'), selected, names, faults),
    nearMisses: checkNearMisses(given('near_misses'), faults),
  };
  return { screen: faults.list.length === 0 ? screen : null, faults: faults.list };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** The list under a key; empty where it is absent or, with the fault, none or too long. */
function listUnder(key: string, value: unknown, max: number, faults: Faults): readonly unknown[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) faults.wrongType([key], 'list', value);
  else if (value.length > max) faults.tooLong([key], max, value.length, value);
  else return value;
  return [];
}

function checkSort(value: unknown, names: Names, faults: Faults): readonly SortKey[] {
  return listUnder('sort', value, SORT_KEYS_MAX, faults).flatMap((key, at): SortKey[] => {
    const path = ['sort', at];
    if (!isRecord(key)) {
      faults.wrongType(path, 'record', key, `, such as {"field": "last_price", "order": "desc"}`);
      return [];
    }
    refuseOthers(key, ['field', 'order'], path, faults);
    const order = Object.hasOwn(key, 'order') ? key.order : 'asc';
    if (order !== 'asc' && order !== 'desc') faults.notAmong([...path, 'order'], ['asc', 'desc'], order);
    if (!Object.hasOwn(key, 'field')) {
      faults.missing([...path, 'field'], key);
      return [];
    }
    const known = lookUp(key.field, [...path, 'field'], names, faults);
    return known === null ? [] : [{ by: known.operand, descending: order === 'desc' }];
  });
}

/** Each once, in the order of the request. */
function checkSelect(
  value: unknown,
  selected: readonly string[],
  names: Names,
  faults: Faults,
): readonly Operand[] {
  if (isAbsent(value)) return selected.map(operandNamed);
  const operands = listUnder('select', value, SELECT_MAX, faults).map(
    (name, at) => [name, lookUp(name, ['select', at], names, faults)?.operand] as const,
  );
  return [...new Map(operands).values()].filter((operand) => operand !== undefined);
}

function checkNearMisses(value: unknown, faults: Faults): number {
  if (isAbsent(value)) return 0;
  const path = ['near_misses'];
  if (typeof value !== 'number' || !Number.isInteger(value)) faults.wrongType(path, 'integer', value);
  else if (value < 0) {
    faults.add(path, 'greater_than_equal', 'Input should be greater than or equal to 0', value, { ge: 0 });
  } else if (value > NEAR_MISSES_MAX) {
    const ctx = { le: NEAR_MISSES_MAX };
    faults.add(path, 'less_than_equal', `Input should be less than or equal to ${ctx.le}`, value, ctx);
  } else return value;
  return 0;
}
