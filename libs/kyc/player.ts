/** The states of a player at one casino; `link_sent` is `none` with a link under way. */
export const kycStates = ['none', 'link_sent', 'pending', 'verified', 'rejected'] as const;
export type KycState = (typeof kycStates)[number];

/** What an operator may set. */
export const settableStates = ['none', 'pending', 'verified', 'rejected'] as const satisfies readonly KycState[];
export type SettableState = (typeof settableStates)[number];

/** KYC status is kept per casino and gambler_ref. */
export type PlayerRef = { readonly entityId: number; readonly gamblerRef: string };

export type Player = PlayerRef & { readonly kyc: KycState; readonly phone: string | null };

export const playerId = ({ entityId, gamblerRef }: PlayerRef): string => `${entityId}/${gamblerRef}`;
