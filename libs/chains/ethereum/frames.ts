import type { ChainOutput, PassedOn } from '../chain-node.ts';
import { accountIn, amountIn } from './shapes.ts';

/** What the call tracer tells of one call, with the calls that it made. */
export type Frame = {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
};

/** DELEGATECALL and CALLCODE show a value, and move none to whom they name. */
const MOVING = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);

type Move = { readonly to: string; readonly from: string; readonly amount: bigint };

/** What an account sends itself moves nothing, however often it does. */
const ownMove = ({ type, from, to = from, value = '0x0' }: Frame): Move | undefined => {
  if (!MOVING.has(type)) return undefined;
  const move = { to: accountIn(to), from: accountIn(from), amount: amountIn(value) };
  return move.amount > 0n && move.to !== move.from ? move : undefined;
};

/** Under a frame that failed nothing has happened, whatever the frames below it say. */
const movesOf = (frame: Frame): readonly Move[] => {
  if (frame.error !== undefined) return [];
  const own = ownMove(frame);
  return [...(own ? [own] : []), ...(frame.calls ?? []).flatMap(movesOf)];
};

/** Contracts that end, of calls as they are told without those that failed. */
export const endedIn = ({ calls = [] }: Frame): ReadonlySet<string> =>
  new Set(calls.flatMap(({ type, from }) => (type === 'SELFDESTRUCT' ? [accountIn(from)] : [])));

/** By who got it, or who gave it. */
const sumsBy = (who: 'to' | 'from', moves: readonly Move[]): readonly PassedOn[] => {
  const sums = new Map<string, bigint>();
  for (const move of moves) sums.set(move[who], (sums.get(move[who]) ?? 0n) + move.amount);
  return [...sums].map(([script, amount]) => ({ script, amount }));
};

export const DIRECT = 0;
export const INTERNAL = 1;

export type Paid = {
  readonly outputs: readonly ChainOutput[];
  readonly passedOn: readonly PassedOn[];
  readonly senders: readonly string[];
};

/** "vout 0 the direct value, vout 1 the sum of internal credits": a sum that can change no more once it is mined. */
export const paidBy = (top: Frame): Paid => {
  const [direct, inner] = [movesOf({ ...top, calls: [] }), top.error === undefined ? (top.calls ?? []) : []];
  const internal = inner.flatMap(movesOf);
  return {
    outputs: [
      ...direct.map(({ to, amount }) => ({ vout: DIRECT, script: to, amount })),
      ...sumsBy('to', internal).map((paid) => ({ vout: INTERNAL, ...paid })),
    ],
    passedOn: sumsBy('from', internal),
    senders: [...new Set([accountIn(top.from), ...internal.map(({ from }) => from)])],
  };
};
