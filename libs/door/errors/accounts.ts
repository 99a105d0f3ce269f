import { shown } from './shown-error.ts';
import { schemaMismatch } from './validation.ts';

export type AccountSubject = 'Affiliate' | 'Entity' | 'API key' | 'Token' | 'Access token';

/** `API key`, `not_found` → `api_key_not_found` */
const codeOf = (subject: AccountSubject, what: string) => ({
  code: `${subject.toLowerCase().replaceAll(' ', '_')}_${what}`,
});

/** The operator routes that set up accounts. */
export const accountErrors = {
  invalidId: (subject: AccountSubject) => shown(400, `Invalid ${subject} ID`, codeOf(subject, 'id_invalid')),
  notFound: (subject: AccountSubject) => shown(404, `${subject} not found`, codeOf(subject, 'not_found')),
  entityOfAnother: () =>
    shown(400, 'The entity does not belong to the affiliate of the key', { code: 'entity_of_another_affiliate' }),
  entityCannotMove: () => shown(400, 'An entity cannot move to another affiliate', { code: 'entity_cannot_move' }),
  keyIsRevoked: () =>
    shown(409, 'A revoked API key stays revoked: make another one', { code: 'api_key_stays_revoked' }),
  webhookUrlIsMasked: () =>
    schemaMismatch([
      { path: ['webhook', 'url'], message: 'must have its user and password again where anything else of it changes' },
    ]),
  tooManyOverlaps: (most: number) =>
    shown(409, `${most} overlaps are running: wait for one to end, or end them all with overlap_s 0`, {
      code: 'too_many_overlaps',
    }),
  noWebhookToSign: (subject: 'Entity' | 'API key') =>
    shown(409, `${subject} has no webhook URL: set one first`, { code: 'webhook_url_missing' }),
} as const;
