import ipaddr from 'ipaddr.js';

/** As a proxy may write it: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3})|\[([^\]]*)\])(?::\d*)?$/;

/** What is given to one customer, at the least: he may call from each of its addresses. */
const NETWORK_BYTES = 8;

const LOOPBACK = '::1';

const v4Of = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | undefined => {
  if (address instanceof ipaddr.IPv4) return address;
  const carriesV4 = address.isIPv4MappedAddress() || address.range() === 'rfc6052';
  return carriesV4 ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : undefined;
};

const networkOf = (address: ipaddr.IPv6): string => {
  if (address.range() === 'loopback') return LOOPBACK;
  const bytes = address.toByteArray().map((byte, at) => (at < NETWORK_BYTES ? byte : 0));
  return `${new ipaddr.IPv6(bytes)}/${NETWORK_BYTES * 8}`;
};

/** Of a request, whose own type promises an address. */
type Caller = { readonly ip?: string | undefined };

/** Whoever left before he was looked at: the system knows no address of him any more. */
const GONE = 'gone';

/**
 * From where somebody calls, for whatever is counted by address: the same however it is written, and of IPv6 its network.
 * What is no address is taken as it stands.
 */
export const addressOf = ({ ip = GONE }: Caller): string => {
  const [, v4, v6] = WITH_PORT.exec(ip.trim()) ?? [];
  const text = v4 ?? v6 ?? ip;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.parse(text);
  const carried = v4Of(address);
  if (carried) return carried.toString();
  return address instanceof ipaddr.IPv6 ? networkOf(address) : text;
};

/** This machine, or a proxy on it that does not say for whom it calls. */
export const isThisMachine = (address: string): boolean => address === LOOPBACK || address.startsWith('127.');

const OF_A_HOUSE: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/** Of no network of strangers: this machine, its containers, the network around it. */
export const isOfThisHouse = (address: string): boolean =>
  ipaddr.isValid(address) && OF_A_HOUSE.includes(ipaddr.process(address).range());
