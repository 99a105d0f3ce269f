import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Front = { readonly url: string; readonly stop: () => Promise<void> };

type Asked = { readonly id: number; readonly method: string; readonly params: readonly [string, { tracer: string }] };
type Traced = { readonly result: object };

const ways = {
  missing: () => ({ error: { code: -32601, message: 'the method debug_traceBlockByHash does not exist' } }),
  failing: (traces) => ({
    result: traces.map((traced) => ({ ...traced, result: undefined, error: 'the history was pruned' })),
  }),
  /** Shows what was sent, and nothing of what contracts passed on. */
  shallow: (traces, [, { tracer }]) => ({
    result: traces.map(({ result, ...traced }) => ({
      ...traced,
      result: tracer === 'prestateTracer' ? result : { ...result, calls: undefined, moves: [] },
    })),
  }),
  /** Has no time for what calls carry. */
  slow: (traces, [, { tracer }]) =>
    tracer === 'callTracer' ? { error: { code: -32000, message: 'execution timeout' } } : { result: traces },
} satisfies Readonly<Record<string, (traces: readonly Traced[], params: Asked['params']) => object>>;

type Way = keyof typeof ways;

type Told = { readonly result: readonly Traced[] | object };

/** Of a transaction that is asked for alone it shows what it shows of the block. */
const ofOne = (result: object, params: Asked['params'], how: Way): object => {
  const spoilt = ways[how]([{ result }], params);
  return 'result' in spoilt ? { result: spoilt.result[0]?.result } : spoilt;
};

const answerOf = ({ id, params }: Asked, { result }: Told, how: Way): object => ({
  ...{ jsonrpc: '2.0', id },
  ...(Array.isArray(result) ? ways[how](result, params) : ofOne(result, params, how)),
});

/** Stands before a real node and spoils its traces alone: no node can be asked to fail in this way. */
export const brokenTraces = async (nodeUrl: string, how: Way): Promise<Front> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(nodeUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const asked = JSON.parse(body) as Asked;
    const told = (await answer.json()) as Told;
    const isTrace = ['debug_traceBlockByHash', 'debug_traceTransaction'].includes(asked.method);
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
