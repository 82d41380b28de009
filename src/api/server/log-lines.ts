/** What the log writes to: `process.stdout`, say. */
interface Sink {
  write(line: string): unknown;
}

const HIDDEN = '[hidden]';

/** Secrets by how they look, wherever in a line they stand: in a header, a message, a stack, an address. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // An Authorization header, of whatever scheme.
  [/(authorization\\*["']?\s*[:=]\s*\\*["']?)[^"'\\\r\n,}]+/gi, `$1${HIDDEN}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  // A JSON Web Token.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  // A client secret of ours, and whatever was sent as one.
  [/\btgs_[\w-]+/g, HIDDEN],
  [/((?:client_secret|access_token|password)\\*["']?\s*[:=]\s*\\*["']?)[^"'\\\s,&}]+/gi, `$1${HIDDEN}`],
  // The password in an address such as DATABASE_URL.
  [/(\w+:\/\/[^\s/:@"]*:)[^\s/@"]+@/g, `$1${HIDDEN}@`],
];

/** A log line without what may be a secret. Requests are not logged, but an error can quote anything. */
export const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, [pattern, shown]) => text.replace(pattern, shown), line);

/** Where log lines go that must not carry a secret. */
export const redacted = (sink: Sink): Sink => ({ write: (line) => sink.write(withoutSecrets(line)) });
