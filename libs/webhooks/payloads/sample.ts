import { type Deposit, isAcceptable, nothingEchoed, openingStanding } from '#deposits';
import { decimalText } from '#money';
import type { WebhookEvent } from './events.ts';
import type { Occasion } from './occasion.ts';
import { payloadOf } from './payload.ts';
import { standingFor } from './sample-standing.ts';

/** Nothing of a test event is real: these ids are those of no deposit. */
const NO_ID = 0;

const sampleDeposit = (event: WebhookEvent, entityId: number, at: string): Deposit => ({
  stage: 'issued',
  revision: 0,
  since: [],
  terms: {
    depositId: NO_ID,
    transactionId: NO_ID,
    affiliateId: NO_ID,
    entityId,
    gamblerRef: 'test-player',
    ...nothingEchoed,
    contactRef: null,
    currency: 'BTC',
    amountIsCrypto: false,
    noConf: event === 'double_spend_alert',
    instant: false,
    instantTier: null,
    instantReceivedMaxUsd: null,
    test: true,
    issuedAt: at,
    expiresAt: at,
    ofacDeadlineSeconds: 60,
  },
  quotedCrypto: decimalText('0.002'),
  amounts: {
    cryptoAmount: decimalText('0.002'),
    usdAmount: decimalText('102'),
    playerAmount: decimalText('100'),
    entityNetUsd: decimalText('100'),
    cryptoRate: decimalText('51000'),
    marketRate: decimalText('51000'),
    charges: [
      {
        beneficiary: 'BF',
        kind: 'FEE',
        paidBy: 'PLAYER',
        percent: decimalText('0.02'),
        amountUsd: decimalText('2'),
        amountCrypto: decimalText('0.00003922'),
      },
    ],
  },
  adjusted: false,
  address: 'test-address',
  expired: false,
  payments: [
    {
      txid: 'test-payment',
      vout: 0,
      amount: decimalText('0.002'),
      replaceable: false,
      firstSeenAt: at,
      state: 'confirmed',
      reorged: false,
    },
  ],
  fundingAddresses: [],
  unknownSendersOf: [],
  standing: {
    ...openingStanding,
    settlementWithheld: null,
    returnUnfundedBecause: null,
    status: 'Confirmed',
    counted: ['test-payment:0'],
    confirmedCrypto: decimalText('0.002'),
    kytStatus: 'pending',
    ...standingFor(event, at),
  },
  untold: [],
  refund: {
    returnId: NO_ID,
    returnAddress: 'test-return-address',
    reason: null,
    cryptoAmount: decimalText('0.002'),
    progress: 'broadcast',
    lastTxid: 'test-refund',
    released: [],
  },
  settlementBatchId: null,
  settlementReleased: [],
  signalIds: [],
});

/** A payload like a real event's, made by the same functions, which must not credit anyone. */
export const samplePayload = (
  event: WebhookEvent,
  casino: { readonly id: number; readonly externalCode: string | null },
  at: string,
): Readonly<Record<string, unknown>> => {
  const occasion: Occasion = { at, externalCode: casino.externalCode, test: true };
  const deposit = sampleDeposit(event, casino.id, at);
  const acceptable = isAcceptable(deposit);
  const payload = payloadOf(event, { ...deposit, standing: { ...deposit.standing, acceptable } }, occasion);
  // Deposits are never cancelled: the event is one of the older transactions, whose status is named so.
  return event === 'transaction.cancelled' ? { ...payload, status: 'Cancelled' } : payload;
};
