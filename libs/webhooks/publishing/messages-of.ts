import type { BusMessage } from '#bus';
import { depositEventOf } from '#deposit-commands';
import { type DepositState, evolve, initialState } from '#deposits';
import type { EventLog, RecordedEvent } from '#event-log';
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
  const { id, recordedAt, revision, stream } = recorded;
  const before = await deposits.before(stream, revision);
  const { after, webhooks } = await webhooksOf(before, { id, recordedAt, event: depositEventOf(recorded) }, casinoTold);
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

/** Each casino is asked for once. */
const askedOnce = (casinoTold: CasinoTold): CasinoTold => {
  const asked = new Map<number, ReturnType<CasinoTold>>();
  return (entityId) => {
    const answer = asked.get(entityId) ?? casinoTold(entityId);
    asked.set(entityId, answer);
    return answer;
  };
};

/** The messages that a batch of the log comes to, in its order: none for a casino of which nobody is told now. */
export const messagesOf = async (
  events: readonly RecordedEvent[],
  histories: Histories,
  casinoTold: CasinoTold,
): Promise<readonly BusMessage[]> => {
  const messages: BusMessage[] = [];
  const told = askedOnce(casinoTold);
  for (const recorded of events) {
    const webhooks: readonly Webhook[] = recorded.stream.startsWith(transactionStreamPrefix)
      ? await ofTransaction(recorded, histories)
      : await ofDeposit(recorded, histories, told);
    messages.push(...webhooks.map(messageOf));
  }
  return messages;
};
