import type { WebhookTarget } from '../target.ts';
import { signatureOf } from '../verify/index.ts';

export type Signed = { readonly webhookId: string; readonly body: string | Uint8Array; readonly at: Date };

export type Signing = Pick<WebhookTarget, 'secret' | 'previousSecret'>;

const previousOf = ({ previousSecret }: Signing, body: Signed['body'], at: Date) =>
  previousSecret && at < previousSecret.until
    ? { 'x-webhook-signature-previous': signatureOf(body, previousSecret.secret) }
    : {};

/** The headers of one attempt: signed with the secret of now, and with the one before it until its overlap ends. */
export const headersOf = (signing: Signing, { webhookId, body, at }: Signed): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'x-webhook-id': webhookId,
  'x-webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  ...(signing.secret === null ? {} : { 'x-webhook-signature': signatureOf(body, signing.secret) }),
  ...(signing.secret === null ? {} : previousOf(signing, body, at)),
});
