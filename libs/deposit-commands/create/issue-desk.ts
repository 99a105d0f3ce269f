import type { Currency } from '#money';
import type { Casino } from '#partners';
import type { Desk } from '../desk.ts';
import type { Idempotency } from './idempotency.ts';

export type Player = {
  /** The key that asks. */
  readonly keyId: number;
  readonly affiliateId: number;
  readonly entityId: number;
  readonly gamblerRef: string;
  readonly phone: string;
  readonly email: string | null;
};

/** No deposit is made: the player has to be verified first. */
export type NotVerified = { readonly outcome: 'kyc_required' | 'kyc_pending'; readonly message: string };

export type PlayerCheck =
  /** `contactRef` stands for the player's phone and e-mail, which never enter the log. */
  { readonly outcome: 'verified'; readonly contactRef: string } | NotVerified | { readonly outcome: 'unavailable' };

/** What making a deposit needs beside what every command needs. */
export type IssueDesk = Desk & {
  readonly idempotency: Idempotency;
  /** What the digests of keyed calls are made with. */
  readonly bodyKey: Buffer;
  readonly checkPlayer: (player: Player) => Promise<PlayerCheck>;
  readonly isEnabled: (currency: Currency) => Promise<boolean>;
  readonly isReturningPlayer: (entityId: number, gamblerRef: string) => Promise<boolean>;
  readonly casino: (entityId: number) => Promise<Casino | undefined>;
  /** The same deposit gets the same address, however often it asks. */
  readonly takeAddress: (currency: Currency, depositId: number) => Promise<string | undefined>;
  readonly takeAddressWithin: (currency: Currency, depositId: number, withinMs: number) => Promise<string | undefined>;
  /** An id that was just given out turned out to be somebody else's. */
  readonly onForeignDeposit: (depositId: number) => void;
  /** A deposit was asked for once more by its key; one that had gone with its log may have been made again. */
  readonly onRepeat: (depositId: number) => Promise<void>;
  readonly ofacDeadlineSeconds: number;
  /** "The service waits up to 30 seconds for a new one after recording the deposit." */
  readonly addressWaitMs: number;
};
