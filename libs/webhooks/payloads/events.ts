/** The names of the interface, as partners know them. */
export const webhookEvents = [
  'deposit.received',
  'deposit.confirmed',
  'kyt_complete',
  'ofac_complete',
  'double_spend_alert',
  'deposit.accepted',
  'deposit.returned',
  'deposit.frozen',
  'transaction.pending',
  'transaction.succeed',
  'transaction.underpaid',
  'transaction.overpaid',
  'transaction.confirmed',
  'transaction.timedout',
  'transaction.cancelled',
  'transaction.refund',
  'transaction.settled',
] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

export const isWebhookEvent = (name: unknown): name is WebhookEvent => webhookEvents.some((event) => event === name);
