import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses of this machine, of its network and of no machine: RFC 6890, without what is public in it. */
const PRIVATE_NETS = {
  ipv4: '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  ipv6: '::/127 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8',
} as const;
const PRIVATE = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const)
  for (const net of PRIVATE_NETS[family].split(' ')) {
    const [address, bits] = net.split('/') as [string, string];
    PRIVATE.addSubnet(address, Number(bits), family);
  }

/** Whether an address is none of the public internet. An IPv4 address within IPv6 counts as itself. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family === 0 || PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Why nothing is sent to a host. */
export class PrivateAddress extends Error {}

/** Looks a host up for a connection, and refuses one of whose addresses any is private: what is checked is connected to. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const bad = addresses.find(({ address }) => isPrivateAddress(address));
    if (bad !== undefined || addresses.length === 0)
      return callback(
        new PrivateAddress(`${host} is at the private address ${bad?.address ?? 'of none'}`),
        '',
        0,
      );
    if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};
