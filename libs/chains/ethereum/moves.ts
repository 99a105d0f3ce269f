import { isOfNode, unless } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import type { Frame } from './frames.ts';

/**
 * What moved, and nothing of what calls carry: whoever calls with a megabyte again and again fills a node's memory with
 * the inputs that the call tracer keeps (23 GB of geth's for 60 million gas). What failed takes back what is below it.
 * An end is told also where it moves nothing: what comes to the contract from then on is burnt.
 */
const TRACER = `{
  moves: [],
  marks: [],
  enter: function (frame) {
    this.marks.push(this.moves.length);
    var type = frame.getType();
    if (type !== 'CALL' && type !== 'CREATE' && type !== 'CREATE2' && type !== 'SELFDESTRUCT') return;
    var value = frame.getValue();
    var digits = value === undefined ? '0' : value.toString(16);
    if (digits === '0' && type !== 'SELFDESTRUCT') return;
    this.moves.push({ type: type, from: toHex(frame.getFrom()), to: toHex(frame.getTo()), value: '0x' + digits });
  },
  exit: function (frame) {
    var mark = this.marks.pop();
    if (frame.getError() !== undefined) this.moves.splice(mark);
  },
  fault: function () {},
  result: function (ctx) {
    var top = { type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), value: '0x' + ctx.value.toString(16) };
    if (ctx.error !== undefined) top.error = ctx.error;
    return { top: top, moves: this.moves };
  }
}`;

type Told = { readonly top?: Frame; readonly moves?: readonly Frame[] };
type Trace = { readonly txHash?: string; readonly result?: Told; readonly error?: string };
type Asked = { readonly hash: string; readonly transactions: readonly { readonly hash: string }[] };

/** Undefined where a node takes the question for another. */
const frameOf = ({ top, moves }: Told): Frame | undefined => top && moves && { ...top, calls: moves };

/** By transaction, without those that take too long; undefined where a node knows no such tracer. */
export const movesOf = async (
  { call }: RpcClient,
  { hash: block, transactions }: Asked,
): Promise<ReadonlyMap<string, Frame> | undefined> => {
  const asked = call<readonly Trace[]>('debug_traceBlockByHash', block, { tracer: TRACER, timeout: '250ms' });
  const traces = await unless(isOfNode, asked);
  const frames = new Map<string, Frame>();
  for (const [nth, { hash }] of transactions.entries()) {
    const { result = {}, error, txHash = hash }: Trace = traces?.[nth] ?? {};
    const frame = error === undefined && txHash === hash ? frameOf(result) : undefined;
    if (frame) frames.set(hash, frame);
    // Each is traced for itself: one that takes longer keeps nobody from hearing of the others.
    else if (!/timeout/i.test(error ?? '')) return undefined;
  }
  return frames;
};

export const movesAlone = async ({ call }: RpcClient, hash: string): Promise<Frame | undefined> =>
  frameOf(await call<Told>('debug_traceTransaction', hash, { tracer: TRACER, timeout: '500ms' }));
