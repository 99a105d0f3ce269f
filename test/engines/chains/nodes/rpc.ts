import { setTimeout as delay } from 'node:timers/promises';

export type Rpc = <T = unknown>(method: string, ...params: readonly unknown[]) => Promise<T>;

export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
  readonly code: number;
  constructor(method: string, { code, message }: { readonly code: number; readonly message: string }) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

/** What the tests themselves ask of a node: no code of the product stands in between. */
export const rpcAt = (url: string, login?: string): Rpc => {
  const headers = {
    'content-type': 'application/json',
    ...(login && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
  return async <T>(method: string, ...params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(url, { method: 'POST', headers, body });
    const { result, error } = (await answer.json()) as { result: T; error?: { code: number; message: string } | null };
    if (error) throw new RpcRefused(method, error);
    return result;
  };
};

const PATIENCE_MS = 30_000;

export const untilAnswers = async (ask: () => Promise<unknown>, isGone: () => boolean): Promise<void> => {
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      await ask();
      return;
    } catch (error) {
      if (isGone() || performance.now() > until) throw error;
      await delay(50);
    }
  }
};
