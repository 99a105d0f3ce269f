import type { QuoteRefusal, Refused } from '#deposits';
import type { FastDepositUnconfirmed } from '#deposits/fast-lane';
import type { Busy, Decided } from '../outcome.ts';
import type { OtherBody } from './idempotency.ts';
import type { NotVerified } from './issue-desk.ts';

/** The deposit exists, and there was no address for it in time. */
export type NoAddress = { readonly refusal: 'no_address' };

export type CreateRefusal =
  | QuoteRefusal
  | FastDepositUnconfirmed
  | NoAddress
  | OtherBody
  | { readonly refusal: 'kyc_unavailable' | 'casino_not_found' };

/** `busy`: the fast lane of the player changes too fast. */
export type CreateOutcome = Decided | NotVerified | Refused<CreateRefusal> | Busy;
