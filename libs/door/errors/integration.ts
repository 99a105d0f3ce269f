import { shown } from './shown-error.ts';

/** GET /casino/integration/key and POST /casino/integration/test-webhook. */
export const integrationErrors = {
  needsApiKey: () =>
    shown(400, 'This endpoint describes an API key; authenticate with X-API-Key', { code: 'api_key_needed' }),
  keyNotFound: () => shown(404, 'API key not found', { code: 'api_key_not_found' }),
  unknownEvent: (event: string | undefined) => shown(400, `Unknown event '${event}'.`, { code: 'event_unknown' }),
  noWebhookUrl: () => shown(409, 'No webhook URL is configured for this entity', { code: 'webhook_url_missing' }),
  rateLimited: (seconds: number) =>
    shown(
      429,
      `Rate limit exceeded. Try again in ${seconds} seconds.`,
      { code: 'rate_limited' },
      { 'retry-after': String(seconds) },
    ),
} as const;
