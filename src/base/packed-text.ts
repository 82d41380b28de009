import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Shorter texts gain less than the call costs. */
const COMPRESSED_MIN = 1_024;
/** The level of the best ratio in the time that a derivation can spare. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** First byte of a Zstandard frame (RFC 8878), `(`: no JSON text begins with it. */
const FRAME_BYTE = 0x28;

/** JSON text in the form in which it is stored: UTF-8, of a longer text a Zstandard frame of it. */
export function packText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.length < COMPRESSED_MIN ? bytes : zstdCompressSync(bytes, OPTIONS);
}

export function unpackText(packed: Uint8Array): string {
  const bytes = packed[0] === FRAME_BYTE ? zstdDecompressSync(packed) : packed;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Texts by name, packed into one piece of memory, which goes to another thread as a whole. */
export function packTexts(texts: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  const names = Object.keys(texts);
  const parts = names.map((name) => packText(texts[name]!));
  const memory = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  return Object.fromEntries(
    parts.map((part, at) => {
      memory.set(part, end);
      end += part.length;
      return [names[at]!, memory.subarray(end - part.length, end)];
    }),
  );
}
