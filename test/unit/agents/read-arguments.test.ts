import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArgumentSchema, readArguments } from '../../../src/agents/read-arguments.ts';
import { wrongArgument } from '../../../src/agents/refusal.ts';
import type { Tool } from '../../../src/agents/tool.ts';
import { TOOLS } from '../../../src/agents/tools.ts';

type Schema = ArgumentSchema & {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

const NAME = /^[A-Za-z0-9._^-]*$/;

/** A value as a schema allows it. */
function drawnBy(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum!, max: schema.maximum! });
    case 'array':
      return fc.array(drawnBy(schema.items as Schema), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems!, 4),
      });
    case 'object':
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), fc.jsonValue({ maxDepth: 2 }));
    case 'string': {
      const lengths = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength!, 10) };
      if (schema.contentMediaType !== undefined)
        return fc.oneof(
          fc.string(lengths),
          fc
            .constantFrom('5', 'true', 'null', '"quoted"', '[1]')
            .filter((text) => text.length <= schema.maxLength!),
        );
      return fc.stringMatching(NAME).filter((text) => text.length <= lengths.maxLength);
    }
    default:
      throw new Error(`A tool has an argument of another type: ${JSON.stringify(schema)}`);
  }
}

/** Valid arguments of a tool, and the same with a drawn part of them written as the JSON text that spells it. */
const callsOf = ({ input }: Tool) => {
  const properties = Object.entries(input.properties as unknown as Record<string, Schema>);
  const given = fc.record(Object.fromEntries(properties.map(([name, schema]) => [name, drawnBy(schema)])));
  return fc.tuple(given, fc.subarray(properties), fc.boolean()).map(([args, chosen, isTwice]) => {
    const once = ([name, { type, contentMediaType }]: (typeof properties)[number]) =>
      type === 'string' && contentMediaType !== undefined ? args[name] : JSON.stringify(args[name]);
    const texts = Object.fromEntries(
      chosen.map((property) => {
        const text = once(property);
        return [property[0], isTwice && text !== args[property[0]] ? JSON.stringify(text) : text];
      }),
    );
    return { args, texts: { ...args, ...texts } };
  });
};

const toolNamed = (name: string): Tool => TOOLS.find((tool) => tool.name === name)!;

describe('arguments', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    'of %s are the same as values and as the text that spells them',
    (_, tool) => {
      fc.assert(
        fc.property(callsOf(tool), ({ args, texts }) => {
          expect(wrongArgument(tool, args)).toBeNull();
          expect(readArguments(tool, texts)).toEqual(readArguments(tool, args));
          expect(readArguments(tool, args)).toEqual(args);
        }),
        { seed: 52, numRuns: 100 },
      );
    },
  );

  it.each([
    ['find_symbols', { q: '5' }, { q: '5' }],
    ['find_symbols', { q: 5 }, { q: '5' }],
    ['find_symbols', { q: '"micro"' }, { q: '"micro"' }],
    ['find_symbols', { limit: ' 5 ' }, { limit: 5 }],
    ['find_symbols', { limit: 'null' }, {}],
    [
      'get_stock',
      { symbol: '5', fields: 'last_price, volume' },
      { symbol: '5', fields: ['last_price', 'volume'] },
    ],
    ['get_stock', { symbol: 5, fields: 'last_price' }, { symbol: '5', fields: ['last_price'] }],
    ['get_series', { cursor: 60, from: '"2026-01-02"' }, { cursor: '60', from: '2026-01-02' }],
    ['screen', { sort: ['{"field":"last_price"}'] }, { sort: [{ field: 'last_price' }] }],
  ])('of %s: %j is %j', (name, given, read) => {
    expect(readArguments(toolNamed(name), given)).toEqual(read);
  });

  it.each([
    ['find_symbols', { limit: 'five' }, 'must be integer'],
    ['find_symbols', { limit: '[5]' }, 'must be integer'],
    ['find_symbols', { limit: '5.5' }, 'must be integer'],
    ['find_symbols', { limit: '05' }, 'must be integer'],
    ['find_symbols', { limit: '21' }, 'must be <= 20'],
    ['get_stock', { symbol: 'A', fields: "['last_price']" }, 'must be array'],
    ['get_stock', { symbol: 'A', fields: '{"0":"last_price"}' }, 'must be array'],
    ['get_stock', { symbol: 'A', fields: ' , ' }, 'must be array'],
    ['get_stock', { symbol: true, fields: ['last_price'] }, 'must be string'],
    ['screen', { filter: '{"field":' }, 'must be object'],
    ['screen', { filter: '[]' }, 'must be object'],
    ['screen', { filter: '{"all":'.repeat(1_001) + '1'.concat('}'.repeat(1_001)) }, 'must be object'],
  ])('of %s: %j is refused, since it %s', (name, given, message) => {
    const tool = toolNamed(name);
    expect(wrongArgument(tool, readArguments(tool, given))?.message).toBe(message);
  });
});
