import { FACT_KINDS, type FieldSchema, schemaOf } from '../src/market/facts.ts';

/** The lists of kinds and ratios of docs/data-formats.md, from the schemas of reported facts. */

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const code = (word: string): string => `\`${word}\``;

export function factKindsText(): string {
  const rows = FACT_KINDS.map((kind) => {
    const { keyText, windowDays, properties } = schemaOf(kind);
    const days = Number.isFinite(windowDays) ? `${windowDays.toLocaleString('en-US')} days` : 'no end';
    return `- ${code(kind)} (key ${keyText}; ${days}): ${fieldsText(properties)}`;
  });
  return rows.join('\n');
}

/** Fields of the same content together, in the order of the schema. */
function fieldsText(properties: Readonly<Record<string, FieldSchema>>): string {
  const groups = Map.groupBy(Object.entries(properties), ([, schema]) => contentText(schema));
  return [...groups]
    .map(([content, fields]) => {
      if (content === 'ratios') return 'ratios, see below';
      const names = fields.map(([name, { type }]) =>
        Array.isArray(type) ? code(snakeCase(name)) : `**${code(snakeCase(name))}**`,
      );
      return `${names.join(', ')} ${content}`;
    })
    .join('; ');
}

function contentText(schema: FieldSchema): string {
  const content = rangeText(schema);
  return schema.unit === undefined ? content : `${content} (${schema.unit.replaceAll('\\|', '|')})`;
}

function rangeText({ type, format, enum: words, minimum, exclusiveMinimum, maximum }: FieldSchema): string {
  if (format === 'code') return 'one capital letter';
  if (format !== undefined) return format;
  if (words !== undefined) return words.map(code).join('/');
  if (maximum !== undefined) return `${minimum} to ${maximum}`;
  if (exclusiveMinimum !== undefined) return 'above 0';
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return 'text';
    case 'array':
      return 'list of tickers';
    case 'object':
      return 'ratios';
    case 'integer':
      return 'count';
    default:
      return minimum === 0 ? 'amount' : 'number';
  }
}

export function statedRatiosText(): string {
  const ratios = Object.entries(schemaOf('fundamentals').properties.stated!.properties!);
  const names = (own: typeof ratios): string => own.map(([name]) => code(name)).join(', ');
  return `${names(ratios)}; not below 0: ${names(ratios.filter(([, { minimum }]) => minimum === 0))}.`;
}
