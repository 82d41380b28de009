import { describe, expect, it } from 'vitest';
import { wireJson } from '../../../../src/files/json.ts';
import { alpacaPrint, alpacaQuote } from '../../../../src/live/vendors/alpaca-messages.ts';
import {
  printOfConditions,
  rulesIn,
  rulesOfText,
  rulesText,
} from '../../../../src/live/vendors/massive-conditions.ts';
import { massivePrintOf, massiveQuoteOf } from '../../../../src/live/vendors/massive-messages.ts';
import { printKey } from '../../../../src/live/vendors/vendor-flow.ts';
import { PRINT } from '../../../../src/market/sale-conditions.ts';

/**
 * Rows with the members, types and nesting of payloads that the vendors' clients are tested with (client-python of
 * Polygon, MIT: `tests/mocks/v3/reference/conditions`, `tests/mocks/v3/trades`; alpaca-py, Apache-2.0:
 * `tests/data/test_websockets.py`). Every value is made up here.
 */

const condition = (
  id: number,
  mapping: Readonly<Record<string, string>>,
  [highLow, openClose, volume]: readonly [boolean, boolean, boolean],
) => {
  const counts = { updates_high_low: highLow, updates_open_close: openClose, updates_volume: volume };
  // What one exchange counts is not what the tape counts.
  const other = { updates_high_low: true, updates_open_close: true, updates_volume: true };
  return {
    id,
    type: 'sale_condition',
    name: `Condition ${id}`,
    asset_class: 'stocks',
    sip_mapping: mapping,
    update_rules: { consolidated: counts, market_center: other },
    data_types: ['trade'],
  };
};

const rules = rulesIn([
  condition(1, { CTA: 'B', UTP: 'W' }, [false, false, true]),
  condition(2, { UTP: 'B' }, [true, true, true]),
  condition(3, { CTA: '4', UTP: '4' }, [true, false, true]),
  condition(4, { UTP: '6' }, [true, true, true]),
  condition(5, { CTA: 'M', UTP: 'M' }, [false, false, false]),
  { id: 6, type: 'trade_thru_exempt', sip_mapping: {} },
]);

describe('conditions of Massive', () => {
  it.each([
    ['what the tape counts, by the letters of tapes A and B', [1], 1, PRINT.setsNoPrice | PRINT.hasNoSide],
    ['a letter by its tape', [2], 3, PRINT.hasNoSide],
    ['no letter where the tape has none', [2], 1, 0],
    ['high and low without a last', [3], 2, PRINT.setsNoLast | PRINT.hasNoSide],
    ['an auction', [4], 3, PRINT.closing | PRINT.hasNoSide],
    ['an official price, which is no trade', [5], 3, PRINT.noTrade | PRINT.closing],
    ['several together', [3, 4], 3, PRINT.setsNoLast | PRINT.hasNoSide | PRINT.closing],
    ['none', undefined, 3, 0],
    ['one without a rule', [6], 3, null],
    ['one that is not listed', [99], 3, null],
  ] as const)('tell %s', (_, conditions, tape, print) => {
    expect(printOfConditions(rules, conditions, tape)).toBe(print);
    expect(printOfConditions(rulesOfText(rulesText(rules)), conditions, tape)).toBe(print);
  });
});

describe('trades and quotes', () => {
  it('of Massive are read from nanoseconds, with the facility that reported them', () => {
    const row = wireJson(`{
      "conditions": [3, 2], "correction": 0, "exchange": 4, "id": "77123", "participant_timestamp": 1709649001234567890,
      "price": 12.34, "sequence_number": 5501, "sip_timestamp": 1709649001250999999, "size": 17, "tape": 3, "trf_id": 9,
      "trf_timestamp": 1709649001240000000
    }`);
    expect(massivePrintOf('ACME', row as object as Record<string, unknown>, rules)).toEqual({
      kind: 'print',
      symbol: 'ACME',
      key: printKey(4, 3, '77123'),
      time: 1_709_649_001_250,
      price: 12.34,
      size: 17,
      print: PRINT.offExchange | PRINT.setsNoLast | PRINT.hasNoSide,
    });
    const quote = wireJson(`{
      "ask_exchange": 11, "ask_price": 12.36, "ask_size": 2, "bid_exchange": 12, "bid_price": 0, "bid_size": 0,
      "conditions": [1], "participant_timestamp": 1709649001234567890, "sequence_number": 9, "sip_timestamp": 1709649001250000001,
      "tape": 3
    }`);
    expect(massiveQuoteOf('ACME', quote as object as Record<string, unknown>)).toEqual({
      kind: 'quote',
      symbol: 'ACME',
      time: 1_709_649_001_250,
      bid: Number.NaN,
      ask: 12.36,
    });
  });

  it('of Alpaca are read to the nanosecond, with ids of any length', () => {
    const [trade, quote] = wireJson(`[
      { "T": "t", "S": "ACME", "i": 52983525029461, "x": "D", "p": 12.34, "s": 90, "c": ["@", "I"], "z": "C",
        "t": "2024-03-05T14:30:01.250500001Z" },
      { "T": "q", "S": "ACME", "bx": "V", "bp": 12.33, "bs": 3, "ax": "V", "ap": 0, "as": 0, "c": ["R"], "z": "B",
        "t": "2024-03-05T14:30:01Z" }
    ]`) as [Record<string, unknown>, Record<string, unknown>];
    expect(alpacaPrint('ACME', trade)).toEqual({
      kind: 'print',
      symbol: 'ACME',
      key: printKey('D', 'C', 52_983_525_029_461),
      time: expect.closeTo(1_709_649_001_250.5, 3),
      price: 12.34,
      size: 90,
      print: PRINT.offExchange | PRINT.setsNoPrice,
    });
    expect(alpacaQuote('ACME', quote)).toEqual({
      kind: 'quote',
      symbol: 'ACME',
      time: 1_709_649_001_000,
      bid: 12.33,
      ask: Number.NaN,
    });
  });
});
