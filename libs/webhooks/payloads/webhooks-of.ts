import { type Deposit, type DepositEvent, type DepositState, evolve } from '#deposits';
import { dueWebhooks } from './due.ts';
import { instantOf } from './occasion.ts';
import { bodyOf, payloadOf } from './payload.ts';
import { type DepositWebhook, webhookIdOf } from './webhook.ts';

export type RecordedFact = { readonly id: string; readonly recordedAt: Date; readonly event: DepositEvent };

const issuedDeposit = (state: DepositState): Deposit | undefined => (state.stage === 'issued' ? state : undefined);

/** What a webhook says of its casino; undefined: nobody is told of that one, and nothing is made for it. */
export type CasinoTold = (entityId: number) => Promise<{ readonly externalCode: string | null } | undefined>;

/** The webhooks that are due because of one event of a deposit that stood at `before`, and the deposit after it. */
export const webhooksOf = async (
  before: DepositState,
  { id, recordedAt, event }: RecordedFact,
  casinoTold: CasinoTold,
): Promise<{ readonly after: DepositState; readonly webhooks: readonly DepositWebhook[] }> => {
  const after = evolve(before, event);
  const due = dueWebhooks(before, event);
  const deposit = issuedDeposit(after);
  if (!deposit || due.length === 0) return { after, webhooks: [] };
  const { depositId, entityId } = deposit.terms;
  const casino = await casinoTold(entityId);
  if (!casino) return { after, webhooks: [] };
  const occasion = { at: instantOf(event), externalCode: casino.externalCode };
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
