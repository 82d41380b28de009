import { Value } from 'typebox/value';
import { alertKind } from '../../alerts/kinds/index.ts';
import type { RuleContent } from '../../alerts/rule.ts';
import { CodedError, type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import type { SymbolTape } from '../../tape/index.ts';
import { isSimulated } from '../../tape/index.ts';
import { type Caller, requireSymbols } from '../access/viewer.ts';
import { unknownWord, valueFault } from '../answers/refusals.ts';
import { seenTapes, unseenFaults } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import { SYMBOLS_MAX } from './schema.ts';

/** A rule as it is sent. */
export interface SentRule extends Pick<RuleContent, 'kind' | 'parameters'> {
  readonly symbols?: readonly string[] | undefined;
  readonly hours?: RuleContent['hours'] | undefined;
  readonly repeat?: RuleContent['repeat'] | undefined;
}

/** A rule without a fault, with what is known of its stocks. */
export interface CheckedRule {
  readonly content: RuleContent;
  readonly simulated: boolean;
  /** Of the named stocks; of the market none. */
  readonly tapes: readonly SymbolTape[];
}

const PATHS = SCALAR_FIELDS.map(({ path }) => path);
const PARAMETERS = ['body', 'parameters'];

/**
 * Checks a rule.
 *
 * @throws ValidationRefusal with every fault; CodedError symbol_not_granted, other_market
 */
export async function checkRule(context: AppContext, sent: SentRule, caller: Caller): Promise<CheckedRule> {
  const kind = alertKind(sent.kind);
  const given = { ...defaultsOf(kind.parameters.properties), ...sent.parameters };
  const faults = faultsOfParameters(sent.kind, given);
  const symbols = sent.symbols === undefined ? null : [...new Set(sent.symbols.map(canonicalSymbol))];
  faults.push(...faultsOfNumber(symbols, kind.isOfMarket === true));
  if (faults.length > 0) throw new ValidationRefusal(faults);
  const { hours = 'regular', repeat = 'daily' } = sent;
  const content = { kind: sent.kind, parameters: given, hours, repeat };
  if (symbols === null || symbols.length === 0) {
    const simulated = await context.symbolMarkets.marketFor(caller);
    // What a grant leaves out is not watched.
    const own =
      caller.symbols === null ? null : [...(await context.symbolMarkets.symbolsOf(caller, simulated))].sort();
    return { content: { ...content, symbols: own }, simulated, tapes: [] };
  }
  requireSymbols(caller, symbols);
  const tapes = await seenTapes(context, symbols, caller);
  const unseen = unseenFaults(symbols, tapes);
  if (unseen.length > 0) throw new ValidationRefusal(unseen);
  const markets = new Set(tapes.map(isSimulated));
  if (markets.size > 1)
    throw new CodedError(
      'other_market',
      'Real and simulated stocks share no alert: make one for each market',
    );
  return { content: { ...content, symbols }, simulated: markets.has(true), tapes };
}

/** Parameters that are taken where none are sent. */
export const defaultsOf = (properties: Readonly<Record<string, object>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      'default' in schema ? [[name, schema.default]] : [],
    ),
  );

function faultsOfParameters(name: string, given: SentRule['parameters']): ValidationFault[] {
  const kind = alertKind(name);
  const wrong = [...Value.Errors(kind.parameters, given)].map(({ instancePath, message }) => {
    const at = instancePath.split('/').filter(Boolean);
    return valueFault([...PARAMETERS, ...at], at.reduce(inside, given), `${message}; see GET /alerts/kinds`);
  });
  if (wrong.length > 0) return wrong;
  const said = (kind.check?.(given) ?? []).map((sentence) => valueFault(PARAMETERS, given, sentence));
  if (said.length > 0 && kind.isOfMarket) return said;
  const unknown = kind.fields(given).filter((path) => scalarField(path) === null);
  const fields = unknown.map((path) => ({
    ...unknownWord('parameters', path, PATHS, `No field is called '${path}'`, {
      hint: 'GET /api/graph/v1/screener/fields lists them all',
    }),
    loc: PARAMETERS,
  }));
  return fields.length > 0 ? fields : said;
}

const inside = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];

function faultsOfNumber(symbols: readonly string[] | null, isOfMarket: boolean): ValidationFault[] {
  const count = symbols?.length ?? 0;
  if (count > SYMBOLS_MAX) {
    const sentence = `An alert names at most ${SYMBOLS_MAX} stocks, not ${count}; make several, or one of the kind screen that finds them`;
    return [valueFault(['body', 'symbols'], count, sentence)];
  }
  if (count > 0 || isOfMarket) return [];
  return [
    valueFault(['body', 'symbols'], symbols, 'Name the stocks that it watches; only a screen watches all'),
  ];
}
