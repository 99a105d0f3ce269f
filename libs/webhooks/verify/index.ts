/** For receivers on Node: whether a request came from the service. It needs nothing but Node itself. */
export { signatureOf } from './signature.ts';
export { verifyWebhook } from './verify-webhook.ts';
