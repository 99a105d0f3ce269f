import type { Signing } from '../target.ts';
import { signatureOf } from '../verify/index.ts';

export type Signed = { readonly webhookId: string; readonly body: string | Uint8Array; readonly at: Date };

/** One for each overlap that is running, with a comma between them. */
const previousOf = ({ previousSecrets }: Signing, body: Signed['body'], at: Date) => {
  const signatures = previousSecrets.filter(({ until }) => at < until).map(({ secret }) => signatureOf(body, secret));
  return signatures.length > 0 ? { 'x-webhook-signature-previous': signatures.join(', ') } : {};
};

/** The headers of one attempt: signed with the secret of now, and with those before it until their overlaps end. */
export const headersOf = (signing: Signing, { webhookId, body, at }: Signed): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'x-webhook-id': webhookId,
  'x-webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  ...(signing.secret === null ? {} : { 'x-webhook-signature': signatureOf(body, signing.secret) }),
  ...(signing.secret === null ? {} : previousOf(signing, body, at)),
});
