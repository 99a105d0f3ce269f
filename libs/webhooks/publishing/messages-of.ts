import { setTimeout as later } from 'node:timers/promises';
import type { BusMessage } from '#bus';
import { depositEventOf } from '#deposit-commands';
import { type DepositState, evolve, initialState } from '#deposits';
import { BrokenHistory, type EventLog, type RecordedEvent } from '#event-log';
import { transactionEventOf, transactionStreamPrefix } from '#legacy-commands';
import { evolveTransaction, initialTransaction, type TransactionState } from '#legacy-transactions';
import { type CasinoTold, legacyWebhooksOf, type Webhook, webhooksOf } from '../payloads/index.ts';
import { type Histories as Folded, foldedHistories } from './histories.ts';
import { messageOf } from './message.ts';

/** Deposits and transactions whose events came lately. */
export type Histories = { readonly deposits: Folded<DepositState>; readonly transactions: Folded<TransactionState> };

export const createHistories = (log: Pick<EventLog, 'read'>, capacity?: number): Histories => ({
  deposits: foldedHistories<DepositState>(
    log,
    { initial: initialState, evolve: (state, event) => evolve(state, depositEventOf(event)) },
    capacity,
  ),
  transactions: foldedHistories<TransactionState>(
    log,
    { initial: initialTransaction, evolve: (state, event) => evolveTransaction(state, transactionEventOf(event)) },
    capacity,
  ),
});

const ofDeposit = async (recorded: RecordedEvent, { deposits }: Histories, casinoTold: CasinoTold) => {
  const { id, recordedAt } = recorded;
  const before = await deposits.before(recorded);
  const { after, webhooks } = await webhooksOf(before, { id, recordedAt, event: depositEventOf(recorded) }, casinoTold);
  deposits.remember(recorded, after);
  return webhooks;
};

const ofTransaction = async (recorded: RecordedEvent, { transactions }: Histories) => {
  const { id, recordedAt } = recorded;
  const before = await transactions.before(recorded);
  const { after, webhooks } = legacyWebhooksOf(before, { id, recordedAt, event: transactionEventOf(recorded) });
  transactions.remember(recorded, after);
  return webhooks;
};

/** Each casino is asked for once. */
const askedOnce = (casinoTold: CasinoTold): CasinoTold => {
  const asked = new Map<number, ReturnType<CasinoTold>>();
  return (entityId) => {
    const answer = asked.get(entityId) ?? casinoTold(entityId);
    asked.set(entityId, answer);
    return answer;
  };
};

/** A leader that wakes shows streams as they were for about two seconds. */
const PAST_MS = 3_000;

const isStanding = async (log: Pick<EventLog, 'read'>, { stream, revision }: RecordedEvent): Promise<boolean> => {
  let isThere = false;
  for await (const event of log.read(stream, { asStored: true })) isThere ||= event.revision === revision;
  return isThere;
};

/**
 * Whoever may not go on with an event asks whether its stream is as it was written. One that shows the event no more is
 * so no more, whether or not what is left of it is whole.
 */
const isBroken = async (log: Pick<EventLog, 'read'>, event: RecordedEvent, givenAt: number): Promise<boolean> => {
  try {
    if (await isStanding(log, event)) return false;
    await later(Math.max(0, givenAt + PAST_MS - performance.now()));
    return !(await isStanding(log, event));
  } catch (error) {
    if (error instanceof BrokenHistory) return true;
    throw error;
  }
};

/** So many streams are folded beside each other: those that are not remembered share their reads of the log. */
const STREAMS_AT_ONCE = 64;

export type MessagesOf = {
  readonly log: Pick<EventLog, 'read'>;
  readonly histories: Histories;
  readonly casinoTold: CasinoTold;
  /** Default: nothing is sealed. */
  readonly sealOf?: (webhook: Webhook) => string;
  /** Nobody is told of it: its stream is not as it was written. */
  readonly onLeftOut: (event: RecordedEvent) => void;
};

/**
 * The messages that a batch of the log comes to, in its order: none for a casino of which nobody is told now, and none of
 * a stream that is damaged, which holds up no other.
 */
export const messagesOf = async (
  events: readonly RecordedEvent[],
  { log, histories, casinoTold, sealOf, onLeftOut }: MessagesOf,
): Promise<readonly BusMessage[]> => {
  const [told, givenAt] = [askedOnce(casinoTold), performance.now()];
  const webhooksOf = (recorded: RecordedEvent): Promise<readonly Webhook[]> =>
    recorded.stream.startsWith(transactionStreamPrefix)
      ? ofTransaction(recorded, histories)
      : ofDeposit(recorded, histories, told);
  const messages = new Map<RecordedEvent, readonly BusMessage[]>();
  const tell = async (recorded: RecordedEvent): Promise<void> => {
    try {
      messages.set(
        recorded,
        (await webhooksOf(recorded)).map((webhook) => messageOf(webhook, sealOf?.(webhook))),
      );
    } catch (error) {
      if (!(await isBroken(log, recorded, givenAt))) throw error;
      onLeftOut(recorded);
    }
  };
  const tellInOrder = async (ofOneStream: readonly RecordedEvent[]): Promise<void> => {
    for (const recorded of ofOneStream) await tell(recorded);
  };
  const streams = [...Map.groupBy(events, ({ stream }) => stream).values()];
  for (let first = 0; first < streams.length; first += STREAMS_AT_ONCE)
    await Promise.all(streams.slice(first, first + STREAMS_AT_ONCE).map(tellInOrder));
  return events.flatMap((recorded) => messages.get(recorded) ?? []);
};
