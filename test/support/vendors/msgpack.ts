/** MessagePack as Alpaca's stream sends and takes it: maps, arrays, texts, numbers; `t` is its timestamp extension. */

/** Ids of trades, which may be beyond 2^53. */
const IDS: ReadonlySet<string> = new Set(['i', 'oi', 'ci']);

export function encodeMessages(value: unknown, name = ''): Buffer {
  if (name === 't' && typeof value === 'string') return timestampOf(value);
  if (IDS.has(name) && typeof value === 'string') return idOf(value);
  if (value === null || value === undefined) return Buffer.of(0xc0);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === 'number') return numberOf(value);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([headOf(bytes.length, 0xdb), bytes]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([headOf(value.length, 0xdd), ...value.map((item) => encodeMessages(item))]);
  }
  const members = Object.entries(value as object);
  return Buffer.concat([
    headOf(members.length, 0xdf),
    ...members.flatMap(([key, member]) => [encodeMessages(key), encodeMessages(member, key)]),
  ]);
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  if (Number.isSafeInteger(value)) {
    bytes[0] = 0xd3;
    bytes.writeBigInt64BE(BigInt(value), 1);
  } else {
    bytes[0] = 0xcb;
    bytes.writeDoubleBE(value, 1);
  }
  return bytes;
}

function idOf(digits: string): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xcf;
  bytes.writeBigUInt64BE(BigInt(digits), 1);
  return bytes;
}

function headOf(length: number, kind: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(length, 1);
  return head;
}

/** Extension -1 in its form of 64 bits: 30 of nanoseconds, 34 of seconds. */
function timestampOf(text: string): Buffer {
  const ms = Date.parse(text);
  const seconds = Math.floor(ms / 1_000);
  const bytes = Buffer.alloc(10);
  bytes[0] = 0xd7;
  bytes[1] = 0xff;
  bytes.writeBigUInt64BE(((BigInt(ms - seconds * 1_000) * 1_000_000n) << 34n) | BigInt(seconds), 2);
  return bytes;
}

/** What a client sends: it has no extensions and no bytes. */
export function decodeMessage(bytes: Buffer): unknown {
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const list = (length: number): unknown[] => Array.from({ length }, () => read());
  const map = (length: number): object =>
    Object.fromEntries(Array.from({ length }, () => [String(read()), read()]));
  const read = (): unknown => {
    const kind = take(1)[0]!;
    if (kind < 0x80) return kind;
    if (kind < 0x90) return map(kind & 0x0f);
    if (kind < 0xa0) return list(kind & 0x0f);
    if (kind < 0xc0) return take(kind & 0x1f).toString('utf8');
    switch (kind) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return kind === 0xc3;
      case 0xd9:
        return take(take(1)[0]!).toString('utf8');
      case 0xda:
        return take(take(2).readUInt16BE()).toString('utf8');
      case 0xdc:
        return list(take(2).readUInt16BE());
      case 0xde:
        return map(take(2).readUInt16BE());
      default:
        throw new Error(`no client sends MessagePack of the kind ${kind}`);
    }
  };
  return read();
}
