import { describe, expect, it } from 'vitest';
import { deriveStock, INCLUDE_FIELDS, joinStock, StockResult } from '../../../src/derive/compose.ts';
import { SCALAR_FIELDS, scalarAt, scalarField } from '../../../src/derive/scalar-fields.ts';
import { words } from '../../support/tables.ts';
import { richMarket, richView } from '../docs/rich-stock.ts';

function richAnswer(): Record<string, unknown> {
  const view = richView();
  return JSON.parse(
    joinStock(deriveStock(view, richMarket(view)), { source: 'delayed', simulated: false }, [
      ...INCLUDE_FIELDS.keys(),
    ]),
  );
}

/** Numbers on a special scale, which their descriptions give. */
const PLAIN_RATIOS = words`
  fundamental.pe_ratio fundamental.forward_pe fundamental.price_to_book fundamental.price_to_sales
  fundamental.peg_ratio fundamental.ev_ebitda fundamental.net_leverage fundamental.debt_to_equity
  fundamental.current_ratio fundamental.beta news.sentiment_score news.burst rel_volume rel_vol_5d
  compression.atr_compression_ratio day_context.trend_score day_context.rotation_score
  day_context.size_modifier buy_sell_ratio options.put_call_ratio`;

describe('scalar fields', () => {
  it('are named once each', () => {
    const paths = SCALAR_FIELDS.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeGreaterThan(400);
  });

  it('hold every single value of an answer in which all is known, and no list', () => {
    const answer = richAnswer();
    const missing = scalarPaths(answer).filter(
      (path) => !['source', 'simulated'].includes(path) && scalarField(path) === null,
    );
    expect(missing).toEqual([]);
  });

  it('are of the type that the answer holds', () => {
    const answer = richAnswer();
    const kinds = {
      number: 'number',
      integer: 'number',
      boolean: 'boolean',
      text: 'string',
      date: 'string',
      instant: 'string',
    };
    const wrong = SCALAR_FIELDS.filter(({ path, type }) => {
      const value = scalarAt(answer, path);
      return value !== null && typeof value !== kinds[type];
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('have one unit, every number, and say where it is annualised', () => {
    const numbers = SCALAR_FIELDS.filter(({ type }) => type === 'number' || type === 'integer');
    expect(numbers.filter(({ unit }) => unit === null)).toEqual([]);
    const plain = numbers.filter(({ unit }) => unit === 'ratio' || unit === 'score');
    expect(plain.map(({ path }) => path).sort()).toEqual([...PLAIN_RATIOS].sort());
    const annual = numbers.filter(({ description }) => /annuali[sz]ed/i.test(description));
    expect(annual.map(({ path, unit }) => [path, unit])).toEqual([['momentum_slope_60d', 'percent a year']]);
  });

  it.each([
    ['last_price', 'number', 'USD', null],
    ['dollar_volume', 'number', 'USD', null],
    ['volume', 'integer', 'shares', null],
    ['technical.daily_atr.14', 'number', 'USD', null],
    ['technical.rsi_14', 'number', 'points', null],
    ['fundamental.roe', 'number', 'percent', null],
    ['dark_pool_pct_1d', 'number', 'fraction', null],
    ['levels.vwap', 'number', 'USD', 'levels'],
    ['volume_profile.developing.poc', 'number', 'USD', 'volume_profile'],
    ['analyst.latest_grade_date', 'date', null, null],
    ['updated_at', 'instant', null, null],
    ['conviction_v5.observations', 'integer', 'count', null],
  ] as const)('%s is a %s in %s', (path, type, unit, include) => {
    expect(scalarField(path)).toMatchObject({ path, type, unit, include });
  });

  it('know the words of a closed vocabulary', () => {
    expect(scalarField('directional_bias')?.words).toEqual(['bullish', 'bearish', 'neutral']);
    expect(scalarField('company_name')?.words).toBeNull();
  });

  it('follow the schema of the answer', () => {
    const top = new Set(SCALAR_FIELDS.map(({ path }) => path.split('.')[0]!));
    for (const name of top) expect(Object.keys(StockResult.properties)).toContain(name);
  });

  it('answer null for a block that is absent, and for what is no scalar', () => {
    expect(scalarAt({ technical: null }, 'technical.rsi_14')).toBeNull();
    expect(scalarAt({ technical: { rsi_14: 61.5 } }, 'technical.rsi_14')).toBe(61.5);
    expect(scalarAt({ patterns: [1] }, 'patterns')).toBeNull();
  });
});

function scalarPaths(value: unknown, path = ''): string[] {
  if (value === null || Array.isArray(value)) return [];
  if (typeof value !== 'object') return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    scalarPaths(inner, path === '' ? name : `${path}.${name}`),
  );
}
