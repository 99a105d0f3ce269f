import { depositEventOf, depositStream } from '#deposit-commands';
import { type Deposit, type DepositEvent, type DepositState, evolve, type Instant, initialState } from '#deposits';
import type { EventLog } from '#event-log';
import type { TimerKind } from './timers-projection.ts';

/**
 * What the seconds that OFAC has are counted from, at least: the payment's own time, as in a history that is played
 * again, or that at which it was recorded. Beside real coins that may be long after: a payment that was mined unseen has
 * the time of its block, and nobody could screen it before that was read.
 */
export type TimeToScreen = 'since_seen' | 'since_recorded';

export type Deadline = {
  /** The time of the signal. */
  readonly at: Instant;
  /** No timer rings before it. */
  readonly until: Instant;
};

type Loaded = { readonly state: DepositState; readonly screenedFrom: Date | undefined };

/** Also where the deadline has the very time that it had: two senders may pay in one block. */
const startsScreening = (event: DepositEvent): boolean =>
  event.type === 'PaymentSeen' &&
  (event.data.newFundingAddresses.length > 0 || event.data.changes.kytStatus !== undefined);

/** From the history, so that a restart gives nobody more time, and takes none. */
const load = async (log: Pick<EventLog, 'read'>, depositId: number): Promise<Loaded> => {
  let loaded: Loaded = { state: initialState, screenedFrom: undefined };
  for await (const recorded of log.read(depositStream(depositId))) {
    const event = depositEventOf(recorded);
    const screenedFrom = startsScreening(event) ? recorded.recordedAt : loaded.screenedFrom;
    loaded = { state: evolve(loaded.state, event), screenedFrom };
  }
  return loaded;
};

const ofScreening = ({ terms, standing }: Deposit, from: Date | undefined): Deadline | undefined => {
  const at = standing.ofacDeadlineAt;
  if (at === null) return undefined;
  const time = from ? from.getTime() + terms.ofacDeadlineSeconds * 1_000 : 0;
  return { at, until: new Date(Math.max(Date.parse(at), time)).toISOString() };
};

/** The deposit as it stands, and until when it waits for what the timer tells it. */
export const loadDeadline = async (
  log: Pick<EventLog, 'read'>,
  { depositId, kind }: { readonly depositId: number; readonly kind: TimerKind },
  timeToScreen: TimeToScreen,
): Promise<{ readonly deposit: Deposit; readonly deadline: Deadline } | undefined> => {
  const { state: deposit, screenedFrom } = await load(log, depositId);
  if (deposit.stage === 'none') return undefined;
  const { expiresAt } = deposit.terms;
  const deadline =
    kind === 'expiry'
      ? { at: expiresAt, until: expiresAt }
      : ofScreening(deposit, timeToScreen === 'since_recorded' ? screenedFrom : undefined);
  return deadline && { deposit, deadline };
};
