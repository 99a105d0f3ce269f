import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is no public IPv4 address, by the registries of IANA for special purposes. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((range) => ipaddr.IPv4.parseCIDR(range));

const v6 = (range: string) => ipaddr.IPv6.parseCIDR(range);

/** Everything public lies in here, except what carries an IPv4 address inside it. */
const GLOBAL_UNICAST = v6('2000::/3');

/** Parts of it that lead to nobody in public; 2001::/23 holds Teredo, which is judged before. */
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(v6);

type Bytes = readonly number[];

const at = (bytes: Bytes, ...places: readonly number[]): Bytes => places.map((place) => bytes[place] ?? 0);
const inverted = (bytes: Bytes): Bytes => bytes.map((byte) => byte ^ 0xff);

/**
 * Ranges whose addresses stand for an IPv4 address, and the places where it may be: a packet to one of them ends at
 * that address, so that is the one to judge. Where two readings are possible, both have to be public.
 */
const CARRIERS: readonly {
  readonly range: ReturnType<typeof v6>;
  readonly inside: (bytes: Bytes) => readonly Bytes[];
}[] = [
  { range: v6('::ffff:0:0/96'), inside: (bytes) => [at(bytes, 12, 13, 14, 15)] },
  { range: v6('::/96'), inside: (bytes) => [at(bytes, 12, 13, 14, 15)] },
  { range: v6('64:ff9b::/96'), inside: (bytes) => [at(bytes, 12, 13, 14, 15)] },
  // Local use: the prefix may end after 48 bits (RFC 6052 then puts the address around the ninth byte) or after 96.
  { range: v6('64:ff9b:1::/48'), inside: (bytes) => [at(bytes, 6, 7, 9, 10), at(bytes, 12, 13, 14, 15)] },
  { range: v6('2002::/16'), inside: (bytes) => [at(bytes, 2, 3, 4, 5)] },
  // Teredo: its server, and the client with every bit turned over.
  { range: v6('2001::/32'), inside: (bytes) => [at(bytes, 4, 5, 6, 7), inverted(at(bytes, 12, 13, 14, 15))] },
];

const isPublicV4 = (address: ipaddr.IPv4): boolean => !NOT_PUBLIC_V4.some((range) => address.match(range));

const isPublicV6 = (address: ipaddr.IPv6): boolean => {
  const carrier = CARRIERS.find(({ range }) => address.match(range));
  if (carrier) return carrier.inside(address.toByteArray()).every((bytes) => isPublicV4(new ipaddr.IPv4([...bytes])));
  return address.match(GLOBAL_UNICAST) && !NOT_PUBLIC_V6.some((range) => address.match(range));
};

/** Whether a socket may be opened to this address; what cannot be read is not public. */
export const isPublicAddress = (text: string): boolean => {
  // Only what a socket takes for an address: the parser alone would read `1.2.3` as one too.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicV4(address) : isPublicV6(address);
};
