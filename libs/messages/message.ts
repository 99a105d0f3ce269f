export const messageKinds = ['sms', 'email'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** What a player is told. Phone, address and text are personal data: they are nowhere else but here and in contacts. */
export type Message = {
  /** The same id twice is one message. */
  readonly id: string;
  readonly kind: MessageKind;
  /** A phone, or an address of e-mail. */
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly link: string | null;
  /** Whose player it is; null where nobody knows. */
  readonly entityId: number | null;
  readonly gamblerRef: string | null;
};
