import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';

export const submitTo = async ({ call }: RpcClient, raw: string) => {
  try {
    await call('eth_sendRawTransaction', raw);
    return { isIn: true } as const;
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error;
    const isKnown = /already known|already imported/i.test(error.message);
    return isKnown ? ({ isIn: true } as const) : ({ isIn: false, reason: error.message } as const);
  }
};
