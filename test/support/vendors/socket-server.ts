import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The server's side of one WebSocket (RFC 6455), with what a test needs and no library offers: half a frame, a cut without a
 * close frame, a connection that answers pings and nothing else.
 */
export class ServerSocket {
  readonly #socket: Duplex;
  #received = Buffer.alloc(0);
  #fragments: Buffer[] = [];
  #pongs: (() => void)[] = [];
  isOpen = true;

  private constructor(socket: Duplex, onMessage: (message: Buffer) => void, onClose: () => void) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      for (;;) {
        const frame = this.#nextFrame();
        if (frame === null) return;
        this.#take(frame, onMessage);
      }
    });
    const close = (): void => {
      if (!this.isOpen) return;
      this.isOpen = false;
      for (const pong of this.#pongs.splice(0)) pong();
      onClose();
    };
    socket.on('close', close);
    socket.on('error', close);
  }

  static accept(
    request: IncomingMessage,
    socket: Duplex,
    onMessage: (message: Buffer) => void,
    onClose: () => void,
  ): ServerSocket {
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    return new ServerSocket(socket, onMessage, onClose);
  }

  send(data: string | Buffer): void {
    if (!this.isOpen) return;
    this.#socket.write(frameOf(typeof data === 'string' ? 1 : 2, Buffer.from(data)));
  }

  /** Sends the first half of a frame and cuts the connection. */
  sendHalf(text: string): void {
    const frame = frameOf(1, Buffer.from(text));
    this.#socket.write(frame.subarray(0, frame.length >> 1), () => this.cut());
  }

  /** Resolves once the other side has taken everything that was sent so far, or is gone. */
  taken(): Promise<void> {
    if (!this.isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#pongs.push(resolve);
      this.#socket.write(frameOf(9, Buffer.alloc(0)));
    });
  }

  cut(): void {
    this.#socket.destroy();
  }

  close(code = 1000): void {
    const reason = Buffer.alloc(2);
    reason.writeUInt16BE(code);
    this.#socket.end(frameOf(8, reason));
  }

  #take({ opcode, isLast, payload }: Frame, onMessage: (message: Buffer) => void): void {
    if (opcode === 8) this.close();
    else if (opcode === 9) this.#socket.write(frameOf(10, payload));
    else if (opcode === 10) this.#pongs.shift()?.();
    else {
      this.#fragments.push(payload);
      if (!isLast) return;
      onMessage(Buffer.concat(this.#fragments.splice(0)));
    }
  }

  #nextFrame(): Frame | null {
    const bytes = this.#received;
    if (bytes.length < 2) return null;
    let length = bytes[1]! & 0x7f;
    let at = 2;
    if (length === 126) {
      if (bytes.length < 4) return null;
      length = bytes.readUInt16BE(2);
      at = 4;
    } else if (length === 127) {
      if (bytes.length < 10) return null;
      length = Number(bytes.readBigUInt64BE(2));
      at = 10;
    }
    const isMasked = (bytes[1]! & 0x80) !== 0;
    const mask = isMasked ? bytes.subarray(at, at + 4) : Buffer.alloc(4);
    if (isMasked) at += 4;
    if (bytes.length < at + length) return null;
    const payload = Buffer.from(bytes.subarray(at, at + length)).map(
      (byte, index) => byte ^ mask[index % 4]!,
    );
    this.#received = bytes.subarray(at + length);
    return { opcode: bytes[0]! & 0x0f, isLast: (bytes[0]! & 0x80) !== 0, payload: Buffer.from(payload) };
  }
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}
