import type { ChainOutput } from '../chain-node.ts';

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

type Credit = { readonly to: string; readonly from: string; readonly amount: bigint };

/** Under a frame that failed nothing has happened, whatever the frames below it say. */
const creditsOf = (frame: Frame): readonly Credit[] => {
  if (frame.error !== undefined) return [];
  const amount = BigInt(frame.value ?? '0x0');
  const own =
    MOVING.has(frame.type) && amount > 0n && frame.to !== undefined
      ? [{ to: frame.to.toLowerCase(), from: frame.from.toLowerCase(), amount }]
      : [];
  return [...own, ...(frame.calls ?? []).flatMap(creditsOf)];
};

export const DIRECT = 0;
export const INTERNAL = 1;

export type Paid = { readonly outputs: readonly ChainOutput[]; readonly senders: readonly string[] };

/** "vout 0 the direct value, vout 1 the sum of internal credits": a sum that can change no more once it is mined. */
export const paidBy = (top: Frame): Paid => {
  const [direct, inner] = [creditsOf({ ...top, calls: [] }), top.error === undefined ? (top.calls ?? []) : []];
  const internal = inner.flatMap(creditsOf);
  const sums = new Map<string, bigint>();
  for (const { to, amount } of internal) sums.set(to, (sums.get(to) ?? 0n) + amount);
  return {
    outputs: [
      ...direct.map(({ to, amount }) => ({ vout: DIRECT, script: to, amount })),
      ...[...sums].map(([to, amount]) => ({ vout: INTERNAL, script: to, amount })),
    ],
    senders: [...new Set([top.from.toLowerCase(), ...internal.map(({ from }) => from)])],
  };
};
