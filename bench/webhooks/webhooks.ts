import { randomUUID } from 'node:crypto';
import { bodyOf, type DepositWebhook, samplePayload, webhookIdOf } from '#webhooks';

export const SECRET = 'the secret that every endpoint of this measurement has';

let deposits = 0;

/** Webhooks as the relay makes them, spread over the casinos and each of a deposit of its own. */
export const makeWebhooks = (count: number, entityIds: readonly number[]): readonly DepositWebhook[] =>
  Array.from({ length: count }, (_, n) => {
    const recordedAt = new Date();
    const depositId = ++deposits;
    const entityId = entityIds[n % entityIds.length] ?? 0;
    const payload = samplePayload(
      'deposit.accepted',
      { id: entityId, externalCode: 'aurora' },
      recordedAt.toISOString(),
    );
    return {
      webhookId: webhookIdOf(randomUUID(), 'deposit.accepted', recordedAt),
      event: 'deposit.accepted',
      depositId,
      entityId,
      body: bodyOf({ ...payload, deposit_id: depositId, transaction_id: depositId }),
      recordedAt: recordedAt.toISOString(),
    };
  });
