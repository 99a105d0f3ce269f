/** The states of a player at one casino; `link_sent` is `none` with a link under way. */
export type KycState = 'none' | 'link_sent' | 'pending' | 'verified' | 'rejected';

/** What an operator may set. */
export const settableStates = ['none', 'pending', 'verified', 'rejected'] as const;
export type SettableState = (typeof settableStates)[number];

/** KYC status is kept per casino and gambler_ref. */
export type PlayerRef = { readonly entityId: number; readonly gamblerRef: string };

export type Player = PlayerRef & { readonly kyc: KycState; readonly phone: string | null };

export const playerId = ({ entityId, gamblerRef }: PlayerRef): string => `${entityId}/${gamblerRef}`;
