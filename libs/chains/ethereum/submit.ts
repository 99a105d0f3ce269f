import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';

/** Of that transaction alone: another with its number is one that "already exists" too. */
const KNOWN = /already ?(?:known|imported)|^known transaction|existing tx with same hash/i;

export const submitTo = async ({ call }: RpcClient, raw: string) => {
  try {
    await call('eth_sendRawTransaction', raw);
    return { isIn: true } as const;
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
    return KNOWN.test(error.said) ? ({ isIn: true } as const) : ({ isIn: false, reason: error.message } as const);
  }
};
