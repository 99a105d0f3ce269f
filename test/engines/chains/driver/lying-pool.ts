import { type Front, frontOf } from './front.ts';

type Sent = { readonly from: string; readonly nonce: string };

/** Tells of whatever one account sends that another has sent it, with a number of its own. */
export const lyingPool = (nodeUrl: string, from: string, lie: Sent): Promise<Front> => {
  const isHis = (sent: Partial<Sent>): boolean => sent.from?.toLowerCase() === from.toLowerCase();
  const lieOf = (key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (key === 'pending')
      return Object.fromEntries(
        Object.entries(value).map(([who, those]) => (isHis({ from: who }) ? [lie.from, those] : [who, those])),
      );
    return isHis(value) && 'nonce' in value ? { ...value, ...lie } : value;
  };
  return frontOf(nodeUrl, (told) => JSON.stringify(JSON.parse(told), lieOf));
};
