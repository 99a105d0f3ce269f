import { refused } from '#deposits';
import type { Queryable } from '#platform/postgres';
import type { Secrets } from '#platform/secrets';
import { makeSecret } from '../authentication/key-text.ts';
import { type SealedSecret, WEBHOOK_SECRET } from '../casinos/webhook-of.ts';
import { type AccountOutcome, changed, notFound } from './outcome.ts';
import { changeRow, subjectOf } from './rows.ts';
import { lockWebhook, type StoredWebhook } from './webhook-settings.ts';

/** Each adds a signature to every delivery. */
const MOST_OVERLAPS = 8;

export type Rotation = { readonly table: 'entities' | 'api_keys'; readonly id: number; readonly overlapS: number };

/** "A running overlap is never cut short by another rotation but by 0." */
const stillValid = (stored: StoredWebhook, overlapS: number, now: number): readonly SealedSecret[] => {
  if (stored.webhook_secret === null || overlapS === 0) return [];
  const old = { sealed: stored.webhook_secret.toString('hex'), until: new Date(now + overlapS * 1000).toISOString() };
  return [old, ...stored.previous_webhook_secrets.filter(({ until }) => Date.parse(until) > now)];
};

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
  if (stored.webhook_url === null) return refused({ refusal: 'no_webhook_to_sign', subject });
  const made = makeSecret();
  const now = Date.now();
  const previous = stillValid(stored, overlapS, now);
  if (previous.length > MOST_OVERLAPS) return refused({ refusal: 'too_many_overlaps', most: MOST_OVERLAPS });
  await changeRow(
    db,
    actor,
    { table, id },
    {
      webhook_secret: secrets.seal(WEBHOOK_SECRET, made),
      webhook_secret_at: new Date(now),
      previous_webhook_secrets: JSON.stringify(previous),
    },
  );
  return changed(made);
};
