import { type CasinoTold, knownOrAsked, type WebhookOf } from '#webhooks';

export type CasinoSettings = {
  readonly casino: (entityId: number) => Promise<{ readonly externalCode: string | null } | undefined>;
  readonly webhookOf: WebhookOf;
  /** May be some moments old. */
  readonly known: { readonly webhookOf: WebhookOf };
};

/** A webhook may be made that nobody takes any more; what holds now is as new as the event that is being told. */
export const casinoToldBy = ({ casino, webhookOf, known }: CasinoSettings): CasinoTold => {
  const targetOf = knownOrAsked(known.webhookOf, webhookOf);
  return async (entityId) =>
    (await targetOf(entityId)) && { externalCode: (await casino(entityId))?.externalCode ?? null };
};
