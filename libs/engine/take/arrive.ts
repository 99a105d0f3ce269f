import type { Instant } from '#deposits';
import type { Claim } from '../registry/claimed.ts';
import { type ReadSignal, readSignal } from '../signals/read-signal.ts';
import type { Subject } from '../signals/target.ts';
import type { Work } from './handle.ts';
import { type Owners, ownersOf } from './owners.ts';
import { duplicate, type SignalAnswer, type TakeParts } from './parts.ts';
import { payloadText } from './payload-text.ts';

/** One signal of a call on its way to its answer. */
export type Arrival = { readonly answer: SignalAnswer } | { readonly claim: Claim; readonly work: Work | null };

type Named = Exclude<ReadSignal, { kind: 'unnamed' }>;

/** As it is kept: one of the two, or none. */
const idsOf = (subject: Subject | undefined): Pick<Claim, 'depositId' | 'transactionId'> => ({
  depositId: subject && 'depositId' in subject ? subject.depositId : null,
  transactionId: subject && 'transactionId' in subject ? subject.transactionId : null,
});

const arrivalOf = (raw: unknown, read: Named, owners: Owners): Arrival => {
  const payload = payloadText(raw);
  const { signalId } = read;
  if (read.kind === 'malformed') {
    const { type, depositId, transactionId, reason } = read;
    return {
      claim: { signalId, depositId, transactionId, type, at: null, payload, rejectedBecause: reason },
      work: null,
    };
  }
  const { target, signal } = read;
  const subject = target.by === 'id' ? target.subject : owners.get(target.address);
  const claim = { signalId, ...idsOf(subject), type: signal.type, at: signal.at, payload };
  return subject === undefined
    ? { claim: { ...claim, rejectedBecause: 'no deposit has this address' }, work: null }
    : { claim: { ...claim, rejectedBecause: null }, work: { subject, signal } };
};

/** Reads the signals of a call, in their order. An id that comes twice in it is taken by the first. */
export const arrive = async (
  raws: readonly unknown[],
  now: Instant,
  { ownerOfAddress, logger }: Pick<TakeParts, 'ownerOfAddress' | 'logger'>,
): Promise<readonly Arrival[]> => {
  const read = raws.map((raw) => readSignal(raw, now));
  const owners = await ownersOf(read, ownerOfAddress);
  const seen = new Set<string>();
  return read.map((each, nth): Arrival => {
    if (each.kind === 'unnamed') {
      logger.warn({ signal_id: each.echo, reason: each.reason }, 'a signal without a usable signal_id was rejected');
      return { answer: { signal_id: each.echo, outcome: 'rejected', detail: each.reason } };
    }
    if (seen.has(each.signalId)) return { answer: duplicate(each.signalId) };
    seen.add(each.signalId);
    return arrivalOf(raws[nth], each, owners);
  });
};
