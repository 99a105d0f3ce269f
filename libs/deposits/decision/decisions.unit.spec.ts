import { describe, expect, it } from '@jest/globals';
import type { DepositCommand } from '../floor/commands.ts';
import {
  accept,
  adjusted,
  confirmed,
  deadlineMissed,
  doubleSpent,
  expired,
  freeze,
  giveBack,
  guards,
  issue,
  kyt,
  minute,
  money,
  ofac,
  refundBroadcast,
  refundDropped,
  review,
  seen,
  settled,
} from '../testing/commands.ts';
import { given } from '../testing/given.ts';

const noConf = issue({ noConf: true });
const late = { at: minute(31) };
const rate = { currentRate: money('40') };
const ready = [issue(), seen(), confirmed(), ofac('clear'), kyt('passed')];
const lateReady = [issue(), seen(late), confirmed(), ofac('clear'), kyt('passed')];

type Row = readonly [refusal: string, past: readonly DepositCommand[], command: DepositCommand, fields?: object];

const dust = '0.000000009';

/** In the order of the table: each past fails its row and, where it can, every row below it. */
const acceptRows: readonly Row[] = [
  ['deposit_not_found', [], accept()],
  ['already_decided', [...ready, accept()], accept(), { decision: 'accepted' }],
  ['already_decided', [issue(), seen(), kyt('failed')], accept(), { decision: 'frozen' }],
  ['double_spent', [noConf, seen(), doubleSpent()], accept()],
  ['not_confirmed', [issue(), seen({ amount: '1' })], accept(), { status: 'Underpaid' }],
  ['not_eligible', [noConf], accept(), { noConfState: null }],
  ['not_eligible', [noConf, seen()], accept(), { noConfState: 'pending_guards' }],
  ['not_eligible', [noConf, seen({ replaceable: true })], accept(), { noConfState: 'fell_back' }],
  ['wrong_status', [issue()], accept(), { status: 'Pending' }],
  ['wrong_status', [issue(), expired()], accept(), { status: 'Timedout' }],
  [
    'ofac_screen_pending',
    [issue(), seen({ ...late, amount: '1' }), confirmed()],
    accept(),
    { ofacDeadlineAt: minute(32) },
  ],
  [
    'late_payment_requires_current_rate',
    [issue(), seen({ ...late, amount: dust }), confirmed(), ofac('clear')],
    accept(),
  ],
  [
    'late_payment_no_received_amount',
    [issue(), seen({ ...late, amount: dust }), confirmed(), ofac('clear')],
    adjusted(),
  ],
  [
    'late_payment_rate_unavailable',
    [issue(), seen(late), confirmed(), ofac('clear')],
    adjusted(),
    { currency: 'LTC', unable: 'fetch' },
  ],
  [
    'late_payment_rate_unavailable',
    [issue(), seen(late), confirmed(), ofac('clear')],
    adjusted({ currentRate: money('0') }),
    { unable: 'value' },
  ],
  [
    'instant_received_over_cap',
    [issue({ instant: true }), seen({ amount: '13' }), confirmed(), ofac('clear')],
    accept(),
  ],
  ['kyt_not_passed', [issue(), seen({ amount: '1' }), confirmed(), ofac('clear')], accept(), { kytStatus: 'pending' }],
  ['kyt_not_passed', [issue(), seen(), confirmed(), ofac('clear'), kyt('review')], accept(), { kytStatus: 'review' }],
  [
    'amount_mismatch',
    [issue(), seen({ amount: '1.99999999' }), confirmed(), ofac('clear'), kyt('passed')],
    accept(),
    { quoted: '2', received: '1.99999999', currency: 'LTC' },
  ],
  ['amount_mismatch', [issue(), seen({ amount: dust }), confirmed(), ofac('clear'), kyt('passed')], adjusted()],
  [
    'late_payment_received_precision',
    [issue(), seen({ ...late, amount: '90071992.54740992' }), confirmed(), ofac('clear'), kyt('passed')],
    adjusted(rate),
  ],
  [
    'received_precision',
    [issue(), seen({ amount: '90071992.54740992' }), confirmed(), ofac('clear'), kyt('passed')],
    adjusted(),
  ],
];

const returnRows: readonly Row[] = [
  ['already_decided', [...ready, freeze()], giveBack(), { decision: 'frozen' }],
  ['already_decided', [...ready, giveBack()], giveBack(), { decision: 'returned' }],
  ['ofac_screen_pending', [issue()], giveBack(), { ofacDeadlineAt: null }],
  ['kyt_not_passed', [issue(), seen(), deadlineMissed()], giveBack(), { kytStatus: 'pending' }],
  ['kyt_not_passed', [issue(), seen(), deadlineMissed(), kyt('review')], giveBack(), { kytStatus: 'review' }],
  ['not_confirmed', [issue(), seen(), ofac('clear'), kyt('passed')], giveBack(), { status: 'Succeed' }],
  ['return_address_missing', ready, giveBack({ returnAddress: null })],
];

const freezeRows: readonly Row[] = [
  ['already_decided', [...ready, accept()], freeze(), { decision: 'accepted' }],
  ['kyt_not_completed', [issue()], freeze()],
  ['kyt_not_passed', [issue(), seen()], freeze(), { kytStatus: 'pending' }],
  ['kyt_not_passed', [issue(), seen(), kyt('review')], freeze(), { kytStatus: 'review' }],
];

describe('accept', () => {
  it.each(acceptRows)('is refused: %s', (refusal, past, command, fields = {}) => {
    given(...past)
      .when(command)
      .thenRefused(refusal, { ...fields });
  });

  it.each(['clear', 'timed_out'])('passes all gates with ofac_status %s', (status) => {
    const answer = status === 'clear' ? ofac('clear') : deadlineMissed();
    const past = [issue(), seen(), confirmed(), kyt('passed')];
    given(...past)
      .when(answer)
      .thenShows({ acceptable: true, ofac_status: status });
    given(...past, answer)
      .when(accept())
      .thenShows({ decision: 'accepted', decision_at: minute(5), acceptable: false });
  });

  it('accepts a fast deposit before confirmation when it is eligible', () => {
    given(noConf, seen(), guards(true), ofac('clear'), kyt('passed'))
      .when(accept())
      .thenShows({ decision: 'accepted' });
  });

  it('with adjust_to_received re-prices an ordinary deposit at the rate locked at creation', () => {
    const fees = [
      { beneficiary: 'BF', kind: 'SPREAD', paidBy: 'PLAYER', percent: '0.02' },
      { beneficiary: 'ENTITY', kind: 'FEE', paidBy: 'PLAYER', percent: '0.25' },
    ];
    given(issue({ fees }), seen({ amount: '10' }), confirmed(), ofac('clear'), kyt('passed'))
      .when(adjusted(rate))
      .thenShows({
        crypto_amount: 10,
        usd_amount: 490,
        player_amount: 392,
        entity_net_usd: 490,
        crypto_rate: '49',
        market_rate: '50',
        charges: [
          { amount_usd: 10, amount_crypto: 0.2 },
          { amount_usd: 98, amount_crypto: 2 },
        ],
      });
  });

  it('with adjust_to_received and equal amounts on an ordinary deposit changes nothing', () => {
    const same = given(issue(), seen({ amount: '2.000000009' }), confirmed(), ofac('clear'), kyt('passed')).when(
      adjusted(),
    );
    same.thenEvents({ type: 'DepositAccepted', data: { adjusted: false } });
    same.thenShows({ crypto_amount: 2, player_amount: 100, confirmed_crypto: 2.000000009 });
  });

  it('cuts ETH at eight decimals when it re-prices', () => {
    given(
      issue({ currency: 'ETH' }),
      seen({ amount: '1.999999999999999999' }),
      confirmed(),
      ofac('clear'),
      kyt('passed'),
    )
      .when(adjusted())
      .thenShows({ crypto_amount: 1.99999999 });
  });

  it('re-prices a late deposit at the current rate even when the amounts match', () => {
    const again = given(...lateReady).when(adjusted(rate));
    again.thenEvents({ data: { adjusted: true } });
    again.thenShows({ player_amount: 80, market_rate: '40', crypto_rate: '40', late_payment: true });
  });

  it('accepts a late amount up to 2^53 - 1 units', () => {
    given(issue(), seen({ ...late, amount: '90071992.54740991' }), confirmed(), ofac('clear'), kyt('passed'))
      .when(adjusted(rate))
      .thenShows({ crypto_amount: 90071992.54740991 });
  });

  it.each(['ConfirmedApproved', 'ConfirmedKYTReview'])('accepts in %s once KYT passed', (status) => {
    const passes = status === 'ConfirmedApproved' ? review('passed') : kyt('passed');
    const past = [issue(), seen(), confirmed(), ofac('clear'), kyt('review'), passes];
    given(...past)
      .when(accept())
      .thenShows({ status, decision: 'accepted' });
  });
});

describe('return', () => {
  it.each(returnRows)('is refused: %s', (refusal, past, command, fields = {}) => {
    given(...past)
      .when(command)
      .thenRefused(refusal, { ...fields });
  });

  it('sends all that was received, of a late deposit too', () => {
    given(...ready)
      .when(giveBack({ reason: 'no' }))
      .thenShows({ decision: 'returned', return_address: 'home' });
    expect(
      given(...lateReady)
        .when(giveBack())
        .after().refund,
    ).toMatchObject({ cryptoAmount: '2', progress: 'queued' });
  });
});

describe('freeze', () => {
  it.each(freezeRows)('is refused: %s', (refusal, past, command, fields = {}) => {
    given(...past)
      .when(command)
      .thenRefused(refusal, { ...fields });
  });

  it('needs KYT passed alone', () => {
    given(issue(), seen(), kyt('passed')).when(freeze()).thenShows({ decision: 'frozen', return_address: null });
  });
});

describe('refund and settlement signals', () => {
  const returned = [...ready, giveBack()];
  const accepted = [...ready, accept()];

  it('rejects a refund of nothing, of a wrong return_id, or a second one while the first is out', () => {
    given(...ready)
      .when(refundBroadcast())
      .thenRejected();
    given(...returned)
      .when(refundBroadcast({ returnId: 6 }))
      .thenRejected();
    given(...returned, refundBroadcast())
      .when(refundBroadcast({ refundTxid: 'refund-b' }))
      .thenRejected();
    given(...returned, refundBroadcast())
      .when(refundBroadcast())
      .thenIgnored();
    given(...returned)
      .when(refundDropped())
      .thenRejected();
    given(...returned, refundBroadcast(), refundDropped())
      .when(refundDropped())
      .thenIgnored();
  });

  it('know the transaction of a refund with 0x before its hash or without', () => {
    const hash = 'ab'.repeat(32);
    const spellings = [
      [hash, `0x${hash}`],
      [`0x${hash}`, hash],
    ] as const;
    for (const [first, then] of spellings) {
      const sent = [...returned, refundBroadcast({ refundTxid: first })];
      given(...sent)
        .when(refundBroadcast({ refundTxid: then }))
        .thenIgnored();
      given(...sent)
        .when(refundDropped({ refundTxid: then }))
        .thenEvents({ type: 'RefundDropped', data: { refundTxid: first } });
    }
  });

  it('settles accepted live deposits, once; the status does not change', () => {
    given(...accepted)
      .when(settled('batch-1'))
      .thenShows({ status: 'Confirmed' });
    given(...accepted, settled('batch-1'))
      .when(settled('batch-1'))
      .thenIgnored();
    given(...accepted, settled('batch-1'))
      .when(settled('batch-2'))
      .thenRejected();
    given(...ready)
      .when(settled('batch-1'))
      .thenRejected();
    given(issue({ test: true }), ...accepted.slice(1))
      .when(settled('batch-1'))
      .thenRejected();
  });
});
