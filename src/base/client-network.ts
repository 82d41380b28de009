import { isIPv6 } from 'node:net';

/** The network that limits count by: an IPv4 address itself, an IPv6 address by its /64, which one subscriber has. */
export function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [plain] = address.split('%', 1);
  if (!isIPv6(plain!)) return address;
  const [head, tail] = plain!.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const zeros = tail === undefined ? 0 : 8 - head!.length - tail.length;
  const groups = [...head!, ...Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? [])];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
