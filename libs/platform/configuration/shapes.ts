import { isIP } from 'node:net';
import type { RateSourceName } from './configuration.ts';

export const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

export const isCount = (text: string, most: number, least = 1): boolean =>
  /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** One block of that kind or more; what is in them is for whoever uses them to judge. */
export const isPem = (text: string, kind: string): boolean =>
  new RegExp(`^-----BEGIN [A-Z ]*${kind}-----[^]+-----END [A-Z ]*${kind}-----$`).test(text);

export const isHost = (text: string): boolean => /^[A-Za-z0-9._:%-]+$/.test(text);

export const isUrlOf = (text: string, protocols: readonly string[]): boolean => {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol);
};

/** Not a URL in the strict sense: it may name several hosts, each with its port. */
export const isEventStoreUrl = (text: string): boolean => /^esdb(?:\+discover)?:\/\/[^\s/?]+(?:[/?]\S*)?$/.test(text);

export const wordsOf = (text: string): string[] => (text === '' ? [] : text.split(',').map((word) => word.trim()));

/** An address, or a network as `address/bits`. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

const isBroker = (broker: string): boolean => {
  const [, host, port] = /^(.+):(\d+)$/.exec(broker) ?? [];
  return host !== undefined && port !== undefined && /^[A-Za-z0-9._-]+$|^\[[0-9a-fA-F:]+\]$/.test(host) && isPort(port);
};

export const isBrokerList = (text: string): boolean => wordsOf(text).every(isBroker);

const rateSourceNames: readonly RateSourceName[] = ['kraken', 'coinbase'];

/** Undefined when a word is none of them. */
export const rateSourcesOf = (text: string): readonly RateSourceName[] | undefined => {
  const words = wordsOf(text);
  const known = words.map((word) => rateSourceNames.find((name) => name === word)).filter((name) => name !== undefined);
  return known.length === words.length ? known : undefined;
};
