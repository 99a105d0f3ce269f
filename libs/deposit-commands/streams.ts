import { createHash } from 'node:crypto';

export const depositStreamPrefix = 'deposit-';

/** The history of one deposit. */
export const depositStream = (depositId: number): string => `${depositStreamPrefix}${depositId}`;

/** Signals of a deposit that changed nothing of it: kept beside its history, never in it. */
export const setAsideStream = (depositId: number): string => `signals-${depositId}`;

/** A player's reference may hold any character and 255 of them, a stream's name may not. */
const shortened = (gamblerRef: string): string =>
  createHash('sha256').update(gamblerRef, 'utf8').digest('hex').slice(0, 32);

/** What lets one fast deposit in at a time, per casino and player. */
export const fastLaneStream = (entityId: number, gamblerRef: string): string =>
  `fastlane-${entityId}-${shortened(gamblerRef)}`;
