import { shown } from './shown-error.ts';

export type AccountSubject = 'Affiliate' | 'Entity' | 'API key' | 'Token' | 'Access token';

/** The operator routes that set up accounts. */
export const accountErrors = {
  invalidId: (subject: AccountSubject) => shown(400, `Invalid ${subject} ID`),
  notFound: (subject: AccountSubject) => shown(404, `${subject} not found`),
  entityOfAnother: () => shown(400, 'The entity does not belong to the affiliate of the key'),
  entityCannotMove: () => shown(400, 'An entity cannot move to another affiliate'),
  keyIsRevoked: () => shown(409, 'A revoked API key stays revoked: make another one'),
  tooManyOverlaps: (most: number) =>
    shown(409, `${most} overlaps are running: wait for one to end, or end them all with overlap_s 0`),
  noWebhookToSign: (subject: 'Entity' | 'API key') => shown(409, `${subject} has no webhook URL: set one first`),
} as const;
