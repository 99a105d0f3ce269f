import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Front = { readonly url: string; readonly stop: () => Promise<void> };

type Asked = { readonly id: number; readonly method: string };

const answerOf = ({ id }: Asked, { result }: { result: readonly object[] }, how: 'missing' | 'failing'): object =>
  how === 'missing'
    ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method debug_traceBlockByHash does not exist' } }
    : {
        jsonrpc: '2.0',
        id,
        result: result.map((traced) => ({ ...traced, result: undefined, error: 'the history was pruned' })),
      };

/** Stands before a real node and spoils its traces alone: no node can be asked to fail in this way. */
export const brokenTraces = async (nodeUrl: string, how: 'missing' | 'failing'): Promise<Front> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(nodeUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const asked = JSON.parse(body) as Asked;
    const told = (await answer.json()) as { result: readonly object[] };
    const isTrace = asked.method === 'debug_traceBlockByHash';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isTrace ? answerOf(asked, told, how) : told));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
