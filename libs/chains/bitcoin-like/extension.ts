import { unless } from '../readable.ts';
import type { Call, RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';
import { type Format, isOfExtension } from './parse.ts';

/**
 * Whether neither a waiting transaction nor what it leans on has a part in the extension block: what that part spends
 * nobody sees, and whoever spends it elsewhere takes the payment back without any conflict.
 */
export const isAllSeen = async ({ call, batch }: RpcClient, txid: string, format: Format): Promise<boolean> => {
  const isRefused = (error: unknown): boolean => error instanceof NodeRefused;
  const ancestors = await unless(isRefused, call<readonly string[]>('getmempoolancestors', txid));
  if (ancestors === undefined) return false;
  const raws = await batch<string>([txid, ...ancestors].map((each): Call => ['getrawtransaction', each]));
  return raws.every((raw) => raw !== undefined && !isOfExtension(raw, format));
};
