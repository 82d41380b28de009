import { isMembers, type Members, textOf } from '../../files/json.ts';
import { PRINT, printOfLetters } from '../../market/sale-conditions.ts';

/** What the conditions of a trade mean, by their number: bits of `PRINT` on tapes A and B, and on C. */
export type PrintRules = ReadonlyMap<number, readonly [cta: number, utp: number]>;

/** What a letter of the tape says beyond volume and price. */
const BY_LETTER = PRINT.hasNoSide | PRINT.opening | PRINT.closing;

/**
 * The rules in `/v3/reference/conditions` of stock trades. `update_rules.consolidated` says what a trade counts for; the
 * letters of `sip_mapping` say whether it is of an auction or has no aggressor.
 */
export function rulesIn(rows: readonly Members[]): PrintRules {
  return new Map(
    rows.flatMap((row) => {
      const { id, update_rules: rules, sip_mapping: letters } = row;
      const counts = isMembers(rules) && isMembers(rules.consolidated) ? rules.consolidated : null;
      if (typeof id !== 'number' || counts === null) return [];
      const print = countsFor(counts);
      const of = (tape: string): number =>
        print | (printOfLetters([textOf((isMembers(letters) ? letters : {})[tape])]) & BY_LETTER);
      return [[id, [of('CTA'), of('UTP')]] as const];
    }),
  );
}

function countsFor({ updates_volume, updates_high_low, updates_open_close }: Members): number {
  if (updates_volume === false) return PRINT.noTrade;
  if (updates_high_low === false) return PRINT.setsNoPrice;
  return updates_open_close === false ? PRINT.setsNoLast : 0;
}

const TAPE_C = 3;

/** The print of a trade's conditions; null where one of them is in no rule. */
export function printOfConditions(rules: PrintRules, conditions: unknown, tape: unknown): number | null {
  let print = 0;
  for (const condition of Array.isArray(conditions) ? conditions : []) {
    const rule = rules.get(condition as number);
    if (rule === undefined) return null;
    print |= rule[tape === TAPE_C ? 1 : 0];
  }
  return print;
}

/** The rules as a text that is kept with the data, such as `12:2,2;37:2,2`. */
export const rulesText = (rules: PrintRules): string =>
  Array.from(rules, ([id, [cta, utp]]) => `${id}:${cta},${utp}`).join(';');

export const rulesOfText = (text: string): PrintRules =>
  new Map(
    text.split(';').flatMap((rule) => {
      const [id, cta, utp] = rule.split(/[:,]/).map(Number);
      return utp === undefined ? [] : [[id!, [cta!, utp]] as const];
    }),
  );
