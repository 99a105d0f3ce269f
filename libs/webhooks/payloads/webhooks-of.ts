import { type Deposit, type DepositEvent, type DepositState, evolve } from '#deposits';
import { uuidOf } from '#platform/uuid';
import { dueWebhooks } from './due.ts';
import type { WebhookEvent } from './events.ts';
import { instantOf } from './occasion.ts';
import { bodyOf, payloadOf } from './payload.ts';

/** A finished webhook, but for where it goes. */
export type Webhook = {
  readonly webhookId: string;
  readonly event: WebhookEvent;
  readonly depositId: number;
  readonly entityId: number;
  readonly body: string;
  /** When the log took the event: from here on a delivery's latency counts. */
  readonly recordedAt: string;
};

export type RecordedFact = { readonly id: string; readonly recordedAt: Date; readonly event: DepositEvent };

/** The same however often the log is read. */
export const webhookIdOf = (eventId: string, event: WebhookEvent, recordedAt: Date): string =>
  uuidOf(`webhook ${eventId} ${event}`, recordedAt);

const issuedDeposit = (state: DepositState): Deposit | undefined => (state.stage === 'issued' ? state : undefined);

/** The webhooks that are due because of one event of a deposit that stood at `before`, and the deposit after it. */
export const webhooksOf = async (
  before: DepositState,
  { id, recordedAt, event }: RecordedFact,
  externalCodeOf: (entityId: number) => Promise<string | null>,
): Promise<{ readonly after: DepositState; readonly webhooks: readonly Webhook[] }> => {
  const after = evolve(before, event);
  const due = dueWebhooks(before, event);
  const deposit = issuedDeposit(after);
  if (!deposit || due.length === 0) return { after, webhooks: [] };
  const { depositId, entityId } = deposit.terms;
  const occasion = { at: instantOf(event), externalCode: await externalCodeOf(entityId) };
  const webhooks = due.map((name) => ({
    webhookId: webhookIdOf(id, name, recordedAt),
    event: name,
    depositId,
    entityId,
    body: bodyOf(payloadOf(name, deposit, occasion)),
    recordedAt: recordedAt.toISOString(),
  }));
  return { after, webhooks };
};
