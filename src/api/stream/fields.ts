/**
 * JSON text taken apart at its top level without being parsed: what changed between two states of a stock is told by
 * comparing text, and goes out as the very text that stock detail would serve.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];
const BACKSLASH = '\\';

/**
 * Fields of an object by name, each as its JSON text.
 *
 * @param members text of the object between its braces, as `JSON.stringify` writes it; names without escapes
 */
export function topLevelFields(members: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < members.length) {
    const nameEnd = endOfString(members, at);
    // Behind the name stand its closing quote and the colon.
    const from = nameEnd + 2;
    const to = endOfValue(members, from);
    fields.set(members.slice(at + 1, nameEnd), members.slice(from, to));
    at = to + 1;
  }
  return fields;
}

/** The fields whose text is another than before, as members of an object; empty where nothing changed. */
export function changedFields(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const changed: string[] = [];
  for (const [name, text] of after) if (before.get(name) !== text) changed.push(`"${name}":${text}`);
  return changed.join(',');
}

/** Place of the quote that ends the string which begins at `at`. */
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

/** Place of the comma behind the value that begins at `at`, or the end of the text. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) place = endOfString(text, place);
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
    else if (code === COMMA && depth === 0) return place;
  }
  return text.length;
}
