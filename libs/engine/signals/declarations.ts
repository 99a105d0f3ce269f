import { kytResults, ofacAnswers, type SignalType } from '#deposits';
import type { Fact } from './fact.ts';
import { type Field, type Fields, optional, required } from './fields.ts';
import {
  batch,
  code,
  codes,
  decimal,
  flag,
  id,
  oneOf,
  outputIndex,
  positiveDecimal,
  sentence,
  txid,
  wholeNumber,
} from './kinds.ts';
import { given } from './raw-signal.ts';

/** What a type needs beside its id, its target and its time. */
type Declaration<Type extends SignalType> = {
  readonly summary: string;
  readonly fields: Fields<Omit<Fact<Type>, 'type'>>;
};

const payment = {
  txid: required('txid', txid, {
    description: 'The transaction of the payment; the case of a hash does not count',
    example: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  }),
  vout: optional('vout', outputIndex, { otherwise: 0, description: 'Which output of it pays', example: 0 }),
};

const refund = {
  returnId: required('return_id', id, { description: 'The return that it pays, of the queue of returns', example: 77 }),
  refundTxid: required('refund_txid', txid, {
    description: 'The transaction of the refund',
    example: 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d',
  }),
};

const sanctioned = optional('address', code, {
  otherwise: null,
  description: 'With hit: the sanctioned address. Without deposit_id it names the deposit instead',
  example: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
});

const sanctionedAddress: Field<string | null> = {
  ...sanctioned,
  read: (raw) => (given(raw, 'deposit_id') === undefined ? null : sanctioned.read(raw)),
};

/** The table of signals. Who reads them and who tells of them both look here. */
export const declarations: { readonly [Type in SignalType]: Declaration<Type> } = {
  'payment.seen': {
    summary: 'A payment to the address was seen, in the mempool or in a block',
    fields: {
      ...payment,
      amount: required('amount', positiveDecimal, {
        description: 'What it pays, above 0: decimal text of the coin',
        example: '0.00166667',
      }),
      fundingAddresses: optional('funding_addresses', codes, {
        otherwise: [],
        description: 'Where the money comes from; each is screened',
        example: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      }),
      replaceable: optional('replaceable', flag, {
        otherwise: false,
        description: 'Whether any input says that it may be replaced (BIP-125)',
        example: false,
      }),
    },
  },
  'payment.confirmed': {
    summary: 'A payment that was seen is in a block',
    fields: {
      ...payment,
      confirmations: required('confirmations', wholeNumber, { description: 'How many, from 1 on', example: 1 }),
      blockHash: optional('block_hash', code, {
        otherwise: null,
        description: 'The block that holds it',
        example: '00000000000000000001c8a3f5e54bb4ddc9ab5c3c4a1b8d5e2f7c6a9b0d1e2f',
      }),
      blockHeight: optional('block_height', wholeNumber, {
        otherwise: null,
        description: 'The height of that block',
        example: 860_123,
      }),
    },
  },
  'payment.dropped': { summary: 'A payment left the mempool, and nothing replaced it', fields: payment },
  'payment.double_spent': {
    summary: 'Another transaction spent the coins of a payment',
    fields: {
      ...payment,
      replacedBy: required('replaced_by', txid, {
        description: 'The transaction that took its place',
        example: '6f7cf9580f1c2dfb3c4d5d043cdbb128c640e3f20161245aa7372e9666168516',
      }),
    },
  },
  'payment.reorged': { summary: 'The chain dropped the block of a confirmed payment', fields: payment },
  'quote.expired': { summary: 'The quote ran out; of a paid deposit it is ignored', fields: {} },
  'guards.completed': {
    summary: 'Whether the payments of a fast deposit may count unconfirmed',
    fields: {
      passed: required('passed', flag, { description: 'true: every guard passes', example: false }),
      reason: optional('reason', sentence, {
        otherwise: null,
        description: 'Which guard did not pass, and why',
        example: 'the fee rate is below the estimate for the next blocks',
      }),
    },
  },
  'kyt.completed': {
    summary: 'Risk screening has a result',
    fields: {
      status: required('status', oneOf(...kytResults), { description: 'The result', example: 'passed' }),
      riskScore: optional('risk_score', decimal, {
        otherwise: null,
        description: 'Decimal text, as the provider tells it',
        example: '0.12',
      }),
      unknownSendersOf: optional('unknown_senders_of', txid, {
        otherwise: null,
        description:
          'With review: a transaction whose senders nobody can name, so that no provider screens them all; such a review is ended by an operator alone, or fails',
        example: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      }),
    },
  },
  'ofac.completed': {
    summary: 'Sanctions screening has a result',
    fields: {
      status: required('status', oneOf(...ofacAnswers), { description: 'The result', example: 'hit' }),
      address: sanctionedAddress,
    },
  },
  'ofac.deadline_missed': { summary: 'Sanctions screening did not answer in time', fields: {} },
  'refund.broadcast': { summary: 'The transaction of a return was broadcast', fields: refund },
  'refund.dropped': {
    summary: 'The transaction of a return was dropped: it is queued again, and may be broadcast as another one',
    fields: refund,
  },
  'settlement.included': {
    summary: 'An accepted deposit is in a batch of the settlement',
    fields: {
      batchId: required('batch_id', batch, {
        description: 'The batch, by its number or its name',
        example: 'batch-12',
      }),
    },
  },
};
