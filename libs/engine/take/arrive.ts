import type { Instant } from '#deposits';
import { inParallel } from '../in-parallel.ts';
import type { Claim } from '../registry/claim.ts';
import { type ReadSignal, readSignal } from '../signals/read-signal.ts';
import type { Work } from './handle.ts';
import { duplicate, type SignalAnswer, type TakeParts } from './parts.ts';
import { payloadText } from './payload-text.ts';

/** One signal of a call on its way to its answer. */
export type Arrival = { readonly answer: SignalAnswer } | { readonly claim: Claim; readonly work: Work | null };

const MOST_AT_ONCE = 16;

type Named = Exclude<ReadSignal, { kind: 'unnamed' }>;

/** Addresses of a call → their deposits, each asked for once. */
const depositsOf = async (
  read: readonly ReadSignal[],
  depositOfAddress: TakeParts['depositOfAddress'],
): Promise<ReadonlyMap<string, number | undefined>> => {
  const addresses = read.flatMap((each) =>
    each.kind === 'readable' && each.target.by === 'address' ? [each.target.address] : [],
  );
  const deposits = new Map<string, number | undefined>();
  await inParallel([...new Set(addresses)], MOST_AT_ONCE, async (address) => {
    deposits.set(address, await depositOfAddress(address));
  });
  return deposits;
};

const arrivalOf = (raw: unknown, read: Named, deposits: ReadonlyMap<string, number | undefined>): Arrival => {
  const payload = payloadText(raw);
  const { signalId } = read;
  if (read.kind === 'malformed') {
    const { type, depositId, reason } = read;
    return { claim: { signalId, depositId, type, at: null, payload, rejectedBecause: reason }, work: null };
  }
  const { target, signal } = read;
  const depositId = target.by === 'deposit' ? target.depositId : deposits.get(target.address);
  const claim = { signalId, type: signal.type, at: signal.at, payload };
  return depositId === undefined
    ? { claim: { ...claim, depositId: null, rejectedBecause: 'no deposit has this address' }, work: null }
    : { claim: { ...claim, depositId, rejectedBecause: null }, work: { depositId, signal } };
};

/** Reads the signals of a call, in their order. An id that comes twice in it is taken by the first. */
export const arrive = async (
  raws: readonly unknown[],
  now: Instant,
  { depositOfAddress, logger }: Pick<TakeParts, 'depositOfAddress' | 'logger'>,
): Promise<readonly Arrival[]> => {
  const read = raws.map((raw) => readSignal(raw, now));
  const deposits = await depositsOf(read, depositOfAddress);
  const seen = new Set<string>();
  return read.map((each, nth): Arrival => {
    if (each.kind === 'unnamed') {
      logger.warn({ signal_id: each.echo, reason: each.reason }, 'a signal without a usable signal_id was rejected');
      return { answer: { signal_id: each.echo, outcome: 'rejected', detail: each.reason } };
    }
    if (seen.has(each.signalId)) return { answer: duplicate(each.signalId) };
    seen.add(each.signalId);
    return arrivalOf(raws[nth], each, deposits);
  });
};
