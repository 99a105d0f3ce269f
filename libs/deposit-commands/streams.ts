import { createHash } from 'node:crypto';
import { bareHash } from '#deposits/floor';
import { anyOf, streamsNamed } from '#event-log';
import type { Currency, LegacyCurrency } from '#money';

export const depositStreamPrefix = 'deposit-';
export const setAsideStreamPrefix = 'signals-';
const [FAST_LANE, OUTPUT] = ['fastlane-', 'output-'] as const;

export const isDepositStream = streamsNamed(depositStreamPrefix, 'number');
export const isFastLaneStream = streamsNamed(FAST_LANE, 'number', 'digest');

/** Every stream that these commands write, and no other. */
export const isStreamOfDeposits = anyOf(
  isDepositStream,
  streamsNamed(setAsideStreamPrefix, 'number'),
  isFastLaneStream,
  streamsNamed(OUTPUT, 'coin', 'digest', 'number'),
);

/** The history of one deposit. */
export const depositStream = (depositId: number): string => `${depositStreamPrefix}${depositId}`;

/** Signals of a deposit that changed nothing of it: kept beside its history, never in it. */
export const setAsideStream = (depositId: number): string => `${setAsideStreamPrefix}${depositId}`;

/** Text of others may hold any character and many of them, a stream's name may not. */
const shortened = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32);

/** What lets one fast deposit in at a time, per casino and player. */
export const fastLaneStream = (entityId: number, gamblerRef: string): string =>
  `${FAST_LANE}${entityId}-${shortened(gamblerRef)}`;

/** What gives one output of a transaction to one deposit, or to one transaction of the older interface. */
export const outputStream = (currency: Currency | LegacyCurrency, txid: string, vout: number): string =>
  `${OUTPUT}${currency}-${shortened(bareHash(txid))}-${vout}`;
