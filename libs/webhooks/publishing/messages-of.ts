import type { BusMessage } from '#bus';
import { depositEventOf } from '#deposit-commands';
import { type DepositState, evolve, initialState } from '#deposits';
import type { EventLog, RecordedEvent } from '#event-log';
import { transactionEventOf, transactionStreamPrefix } from '#legacy-commands';
import { evolveTransaction, initialTransaction, type TransactionState } from '#legacy-transactions';
import { legacyWebhooksOf, type Webhook, webhooksOf } from '../payloads/index.ts';
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

type ExternalCodeOf = (entityId: number) => Promise<string | null>;

const ofDeposit = async (recorded: RecordedEvent, { deposits }: Histories, externalCodeOf: ExternalCodeOf) => {
  const { id, recordedAt, revision, stream } = recorded;
  const before = await deposits.before(stream, revision);
  const { after, webhooks } = await webhooksOf(
    before,
    { id, recordedAt, event: depositEventOf(recorded) },
    externalCodeOf,
  );
  deposits.remember(stream, revision, after);
  return webhooks;
};

const ofTransaction = async (recorded: RecordedEvent, { transactions }: Histories) => {
  const { id, recordedAt, revision, stream } = recorded;
  const before = await transactions.before(stream, revision);
  const { after, webhooks } = legacyWebhooksOf(before, { id, recordedAt, event: transactionEventOf(recorded) });
  transactions.remember(stream, revision, after);
  return webhooks;
};

/** The messages that a batch of the log comes to, in its order. */
export const messagesOf = async (
  events: readonly RecordedEvent[],
  histories: Histories,
  externalCodeOf: ExternalCodeOf,
): Promise<readonly BusMessage[]> => {
  const messages: BusMessage[] = [];
  for (const recorded of events) {
    const webhooks: readonly Webhook[] = recorded.stream.startsWith(transactionStreamPrefix)
      ? await ofTransaction(recorded, histories)
      : await ofDeposit(recorded, histories, externalCodeOf);
    messages.push(...webhooks.map(messageOf));
  }
  return messages;
};
