import { shown } from './shown-error.ts';

/** GET /casino/integration/key and POST /casino/integration/test-webhook. */
export const integrationErrors = {
  needsApiKey: () => shown(400, 'This endpoint describes an API key; authenticate with X-API-Key'),
  keyNotFound: () => shown(404, 'API key not found'),
  unknownEvent: (event: string | undefined) => shown(400, `Unknown event '${event}'.`),
  noWebhookUrl: () => shown(409, 'No webhook URL is configured for this entity'),
  rateLimited: (seconds: number) =>
    shown(429, `Rate limit exceeded. Try again in ${seconds} seconds.`, {}, { 'retry-after': String(seconds) }),
} as const;
