import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../explorer/src/screener/csv.ts';

describe('rows as CSV', () => {
  it('keep one record a row, and no text that a spreadsheet would compute', () => {
    const rows = [
      { symbol: 'A', sector: 'Oil, "gas"' },
      { symbol: 'B', sector: '=HYPERLINK("x")' },
      { symbol: 'C', sector: '\r\n=1+1' },
      { symbol: 'D', sector: null, change: -1.5 },
    ];
    expect(csvOf(rows, ['symbol', 'sector', 'change']).replaceAll('\r\n', '|')).toBe(
      'symbol,sector,change|A,"Oil, ""gas""",|B,"\'=HYPERLINK(""x"")",|C,"\'|=1+1",|D,,-1.5|',
    );
  });
});
