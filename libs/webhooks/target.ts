import { UNREADABLE, type WebhookTarget } from '#partners';

export { UNREADABLE, type WebhookTarget };

/** What a body is signed with. */
export type Signing = Pick<WebhookTarget, 'previousSecrets'> & { readonly secret: string | null };

export type Sendable = WebhookTarget & Signing;

/** Whether its secret can be read, if it has one. */
export const isSendable = (target: WebhookTarget): target is Sendable => target.secret !== UNREADABLE;

/** Of a casino, or of an affiliate as a whole. Undefined: neither it nor an active key covering it has a URL. */
export type WebhookOf = (id: number) => Promise<WebhookTarget | undefined>;

export type Targets = {
  readonly webhookOf: WebhookOf;
  /** For the older transactions, which belong to no casino. */
  readonly webhookOfAffiliate: WebhookOf;
};

/** Whom a webhook is for. */
export type Addressee = { readonly entityId: number } | { readonly affiliateId: number };

/** What is remembered may be some moments old: nothing is left out or given up for want of a URL but by what holds now. */
export const knownOrAsked =
  (known: WebhookOf, ask: WebhookOf): WebhookOf =>
  async (id) =>
    (await known(id)) ?? ask(id);

export const targetOf = (
  { webhookOf, webhookOfAffiliate }: Targets,
  addressee: Addressee,
): Promise<WebhookTarget | undefined> =>
  'entityId' in addressee ? webhookOf(addressee.entityId) : webhookOfAffiliate(addressee.affiliateId);
