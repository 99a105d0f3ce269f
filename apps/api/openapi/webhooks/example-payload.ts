import { samplePayload, type WebhookEvent } from '#webhooks';

const CASINO = { id: 41, externalCode: 'aurora' } as const;

/** What the test-webhook call sends, made where it makes it, so that it cannot drift. */
export const examplePayload = (event: WebhookEvent): Readonly<Record<string, unknown>> =>
  samplePayload(event, CASINO, '2026-01-01T00:04:00.000Z');
