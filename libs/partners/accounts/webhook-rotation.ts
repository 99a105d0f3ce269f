import { refused } from '#deposits';
import type { Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { makeSecret } from '../authentication/key-text.ts';
import { WEBHOOK_SECRET } from '../casinos/webhook-of.ts';
import { type AccountOutcome, changed, notFound } from './outcome.ts';
import { changeRow, subjectOf } from './rows.ts';
import { lockWebhook } from './webhook-settings.ts';

export type Rotation = { readonly table: 'entities' | 'api_keys'; readonly id: number; readonly overlapS: number };

/** A new secret, shown here alone; "rotation keeps the old secret valid for a chosen overlap". */
export const rotateWebhookSecret = async (
  db: Queryable,
  secrets: Secrets,
  actor: string,
  { table, id, overlapS }: Rotation,
): Promise<AccountOutcome<string>> => {
  const stored = await lockWebhook(db, table, id);
  const subject = subjectOf[table];
  if (!stored) return notFound(subject);
  const { webhook_url, webhook_secret } = stored;
  if (webhook_url === null) return refused({ refusal: 'no_webhook_to_sign', subject });
  const made = makeSecret();
  const now = Date.now();
  const overlaps = webhook_secret !== null && overlapS > 0;
  await changeRow(
    db,
    actor,
    { table, id },
    {
      webhook_secret: secrets.seal(WEBHOOK_SECRET, made),
      webhook_secret_at: new Date(now),
      previous_webhook_secret: overlaps ? webhook_secret : null,
      previous_webhook_secret_until: overlaps ? new Date(now + overlapS * 1000) : null,
    },
  );
  return changed(made);
};
