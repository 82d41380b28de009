import { asOf, list, symbol } from './arguments.ts';
import { fieldCatalogue, untrusted } from './fields.ts';
import { type Cell, input, stockLink, tool } from './tool.ts';

export const getStock = tool({
  name: 'get_stock',
  title: 'Get stock',
  description: 'Values of fields or whole blocks (technical, levels, day_context …) of one stock.',
  input: input({ symbol, fields: list(40, 'Paths from find_fields, or blocks'), as_of: asOf }),
  example: { symbol: 'NVDA', fields: ['last_price', 'technical.rsi_14'] },
  budget: 2_500,
  async run({ symbol, fields, as_of }, fetch) {
    const query = { fields: [...fields, 'source'].join(), as_of };
    const stock = await fetch<Record<string, unknown>>({ path: stockLink(symbol), query });
    const { unitOf, isOfOthers } = await fieldCatalogue();
    const rows: (readonly Cell[])[] = [];
    const lists: string[] = [];
    for (const field of fields) collect(field, valueAt(stock, field));
    function collect(path: string, value: unknown): void {
      if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
        lists.push(`${path}: ${value.length} items, see get_related or brief.`);
      else if (Array.isArray(value)) rows.push([path, value.join(', '), null]);
      else if (typeof value === 'object' && value !== null)
        for (const [key, part] of Object.entries(value)) collect(`${path}.${key}`, part);
      else rows.push([path, (value ?? null) as Cell, unitOf(path)]);
    }
    return {
      as_of: String(stock.as_of),
      source: String(stock.source),
      symbol: String(stock.symbol),
      columns: ['path', 'value', 'unit'],
      rows,
      ...untrusted(rows.map(([path]) => String(path)).filter(isOfOthers)),
      facts: 'stock.PATH',
      notes: lists,
      link: stockLink(symbol),
    };
  },
  rest: ({ fields }, kept, { rows = [] }) => {
    // The first field of which something was left off.
    const first = fields.findIndex((field) => String(rows[kept]![0]).startsWith(field));
    return { fields: fields.slice(Math.max(first, 0)) };
  },
});

const valueAt = (stock: Record<string, unknown>, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], stock);
