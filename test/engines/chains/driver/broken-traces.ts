import { type Front, frontOf } from './front.ts';

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

/** Spoils the traces of a real node alone. */
export const brokenTraces = (nodeUrl: string, how: Way): Promise<Front> =>
  frontOf(nodeUrl, (said, body) => {
    const asked = JSON.parse(body) as Asked;
    const told = JSON.parse(said) as Told;
    const isTrace = ['debug_traceBlockByHash', 'debug_traceTransaction'].includes(asked.method);
    return JSON.stringify(isTrace ? answerOf(asked, told, how) : told);
  });
