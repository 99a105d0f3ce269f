import { randomUUID } from 'node:crypto';
import { maskedUrl } from '#platform/secrets';
import { headersOf } from '../delivery/headers.ts';
import { bodyOf, samplePayload, type WebhookEvent } from '../payloads/index.ts';
import type { WebhookClient } from '../safe-http/index.ts';
import type { Sendable } from '../target.ts';

export type TestResult = {
  readonly event: string;
  readonly url: string;
  readonly signed: boolean;
  readonly signature: string | null;
  readonly delivered: boolean;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly response_excerpt: string | null;
  readonly error: string | null;
  readonly payload: object;
};

type TestSending = {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly target: Sendable;
  readonly casino: { readonly id: number; readonly externalCode: string | null };
  readonly event: WebhookEvent;
  readonly at: Date;
};

/** One request, signed and sent like a real one; nothing of it is stored or repeated. */
export const sendTestWebhook = async ({ client, target, casino, event, at }: TestSending): Promise<TestResult> => {
  const payload = samplePayload(event, casino, at.toISOString());
  const body = bodyOf(payload);
  const headers = headersOf(target, { webhookId: randomUUID(), body, at });
  const attempted = await client.post({ url: target.url, headers: { ...headers, 'x-webhook-test': 'true' }, body });
  const { statusCode, durationMs, excerpt, error } = attempted;
  const signature = headers['x-webhook-signature'] ?? null;
  return {
    event,
    url: maskedUrl(target.url),
    signed: signature !== null,
    signature,
    delivered: statusCode !== null && statusCode >= 200 && statusCode < 300,
    status_code: statusCode,
    duration_ms: durationMs,
    response_excerpt: excerpt,
    error,
    payload,
  };
};
