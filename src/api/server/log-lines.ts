interface Sink {
  write(line: string): unknown;
}

const HIDDEN = '[hidden]';

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // An Authorization header of any scheme.
  [/(authorization\\*["']?\s*[:=]\s*\\*["']?)[^"'\\\r\n,}]+/gi, `$1${HIDDEN}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  // A JSON Web Token.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  // A client secret, and anything sent as one.
  [/\btgs_[\w-]+/g, HIDDEN],
  [/((?:client_secret|access_token|password)\\*["']?\s*[:=]\s*\\*["']?)[^"'\\\s,&}]+/gi, `$1${HIDDEN}`],
  // The password in an address such as DATABASE_URL.
  [/(\w+:\/\/[^\s/:@"]*:)[^\s/@"]+@/g, `$1${HIDDEN}@`],
];

/** Redacts a log line. Requests are not logged, but an error can quote anything. */
export const withoutSecrets = (line: string): string =>
  SECRETS.reduce((text, [pattern, shown]) => text.replace(pattern, shown), line);

/** A log destination that redacts secrets. */
export const redacted = (sink: Sink): Sink => ({ write: (line) => sink.write(withoutSecrets(line)) });
