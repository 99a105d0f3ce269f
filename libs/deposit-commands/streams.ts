import { createHash } from 'node:crypto';
import type { Currency } from '#money';

export const depositStreamPrefix = 'deposit-';

/** The history of one deposit. */
export const depositStream = (depositId: number): string => `${depositStreamPrefix}${depositId}`;

/** Signals of a deposit that changed nothing of it: kept beside its history, never in it. */
export const setAsideStream = (depositId: number): string => `signals-${depositId}`;

/** Text of others may hold any character and many of them, a stream's name may not. */
const shortened = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32);

/** What lets one fast deposit in at a time, per casino and player. */
export const fastLaneStream = (entityId: number, gamblerRef: string): string =>
  `fastlane-${entityId}-${shortened(gamblerRef)}`;

/** What gives one output of a transaction to one deposit. */
export const outputStream = (currency: Currency, txid: string, vout: number): string =>
  `output-${currency}-${shortened(txid)}-${vout}`;
