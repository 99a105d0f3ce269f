import type { CasinoTold, WebhookTarget } from '#webhooks';

type WebhookOf = (entityId: number) => Promise<WebhookTarget | undefined>;

export type CasinoSettings = {
  readonly casino: (entityId: number) => Promise<{ readonly externalCode: string | null } | undefined>;
  readonly webhookOf: WebhookOf;
  /** May be some moments old. */
  readonly known: { readonly webhookOf: WebhookOf };
};

/**
 * What is remembered may have a webhook made that nobody takes any more; none is left out but by what holds now, which
 * is as new as the event that is being told.
 */
export const casinoToldBy =
  ({ casino, webhookOf, known }: CasinoSettings): CasinoTold =>
  async (entityId) => {
    const target = (await known.webhookOf(entityId)) ?? (await webhookOf(entityId));
    return target && { externalCode: (await casino(entityId))?.externalCode ?? null };
  };
