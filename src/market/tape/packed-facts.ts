import type { AnyFact } from '../facts.ts';
import type { SymbolTape } from './symbol-tape.ts';

/** The tape with its facts as JSON on memory that threads share: to hold and to hand over, they are then one object. */
export function packFacts(tape: SymbolTape): SymbolTape {
  const text = Buffer.from(JSON.stringify(tape.facts));
  const packed = new Uint8Array(new SharedArrayBuffer(text.length));
  packed.set(text);
  return { ...tape, facts: [], packedFacts: packed };
}

/** The tape with facts to read, however they came. */
export function unpackFacts(tape: SymbolTape): SymbolTape {
  if (tape.packedFacts === undefined) return tape;
  const { buffer, byteOffset, byteLength } = tape.packedFacts;
  const facts: AnyFact[] = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString());
  const { packedFacts: _, ...bare } = tape;
  return { ...bare, facts };
}
