import type { ToldBeside } from '#door/openapi';
import { webhookBodies } from './events.ts';
import { webhookParameters } from './headers.ts';
import { webhookSection } from './section.ts';

/** The calls that go the other way. */
export const toldWebhooks = (): ToldBeside => ({
  webhooks: webhookSection(),
  parameters: webhookParameters,
  bodies: webhookBodies,
});
