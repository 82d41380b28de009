/** Splits JSON text at its top level without parsing it: changes are found by comparing text and sent as the same text. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const BACKSLASH = '\\';

/**
 * The fields of an object by name, as JSON text.
 *
 * @param members text of the object between its braces, as `JSON.stringify` writes it; names without escapes
 */
export function topLevelFields(members: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < members.length) {
    const nameEnd = endOfString(members, at);
    // Skips the closing quote and the colon.
    const from = nameEnd + 2;
    const to = endOfValue(members, from);
    fields.set(members.slice(at + 1, nameEnd), members.slice(from, to));
    at = to + 1;
  }
  return fields;
}

/** The fields whose text changed, as members of an object; empty without changes. */
export function changedFields(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const changed: string[] = [];
  for (const [name, text] of after) if (before.get(name) !== text) changed.push(`"${name}":${text}`);
  return changed.join(',');
}

/** Index of the quote that ends the string at `at`. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Index of the comma after the value at `at`, or the end of the text. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
    else if (code === COMMA && depth === 0) return index;
  }
  return text.length;
}
