import type { WebhookTarget } from '#partners';

export type { WebhookTarget };

/** Undefined: neither the casino nor an active key covering it has a URL. */
export type WebhookOf = (entityId: number) => Promise<WebhookTarget | undefined>;
