import { crc32, deflateRawSync } from 'node:zlib';

/** One file to be packed; the overrides make it lie about itself. */
export interface ZipEntry {
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly statedBytes?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Of the file, as Unix has it. */
  readonly mode?: number;
}

/**
 * A zip archive made by hand after PKWARE's APPNOTE.TXT (local header 4.3.7, central directory 4.3.12, its end 4.3.16), so
 * that tests can also make what no honest packer writes.
 */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = headersOf(entry, offset);
    bodies.push(local);
    directory.push(central);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

function headersOf({ name, data, statedBytes, flags = 0, method = 8, mode = 0 }: ZipEntry, offset: number) {
  const plain = Buffer.from(data);
  const packed = deflateRawSync(plain);
  const label = Buffer.from(name);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(flags, 2);
  facts.writeUInt16LE(method, 4);
  facts.writeUInt32LE(crc32(plain), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(statedBytes ?? plain.length, 18);
  facts.writeUInt16LE(label.length, 22);
  const central = Buffer.alloc(20);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 4);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(mode * 0x10000, 6);
  tail.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, label, packed]),
    central: Buffer.concat([central.subarray(0, 6), facts, tail, label]),
  };
}
