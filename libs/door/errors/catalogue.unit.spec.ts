import { describe, expect, it } from '@jest/globals';
import {
  acceptErrors as accept,
  authenticationErrors as authentication,
  commandErrors as commands,
  createDepositErrors as create,
  freezeErrors as freeze,
  httpErrors as http,
  integrationErrors as integration,
  readErrors as read,
  returnErrors as return_,
  type ShownError,
  schemaMismatch,
  scopeErrors as scope,
} from './index.ts';

type Row = readonly [ShownError, number, string];
type CodedRow = readonly [ShownError, number, string, Record<string, unknown>];

const worded: readonly Row[] = [
  [authentication.missing(), 401, 'Token or API key missing'],
  [authentication.invalidKeyFormat(), 401, 'Invalid API key format'],
  [authentication.invalidKey(), 401, 'Invalid API key'],
  [authentication.keyExpired(), 401, 'API key has expired'],
  [authentication.keyInactive(), 401, 'API key is inactive'],
  [authentication.keyRevoked(), 401, 'API key is revoked'],
  [authentication.affiliateDisabled(), 403, 'Affiliate account is disabled'],
  [authentication.affiliateArchived(), 403, 'Affiliate account is archived'],
  [authentication.keyWithoutAffiliate(), 401, 'API key has no affiliate'],
  [authentication.affiliateNotFound(), 401, 'Affiliate not found'],
  [authentication.affiliateWithoutUser(), 401, 'Affiliate has no user'],
  [authentication.userNotFound(), 401, 'User not found'],
  [authentication.invalidToken(), 401, 'Invalid or expired token'],
  [authentication.tokenRevoked(), 401, 'Token has been revoked'],
  [authentication.insufficientPermissions(), 403, 'Insufficient permissions for this endpoint'],
  [scope.otherEntity(), 403, 'API key is scoped to a different entity'],
  [scope.entityNotFound(), 404, 'Entity not found for this affiliate'],
  [scope.entityDisabled('disabled'), 403, "Entity status is 'disabled', must be 'active' or 'enabled'"],
  [scope.depositNotFound(), 404, 'Deposit not found'],
  [scope.invalidDepositId(), 400, 'Invalid deposit ID'],
  [scope.entityIdRequired(), 400, 'entity_id is required'],
  [scope.invalidEntityId(), 400, 'Invalid entity_id'],
  [create.kycUnavailable(), 503, 'Identity verification service unavailable'],
  [
    create.instantNotEnabled(),
    403,
    'Entity is not enabled for instant (pre-KYT) deposits, requiring both instant_allowed and no_conf_allowed',
  ],
  [create.noConfNotEnabled(), 403, 'Entity is not enabled for no-conf deposits (entity.no_conf_allowed)'],
  [create.currencyOff('LTC'), 400, 'LTC is not enabled'],
  [create.currencyOffForAffiliate('LTC'), 400, 'LTC is not enabled for this affiliate'],
  [create.noRate('LTC'), 502, 'Unable to fetch LTC rate'],
  [create.feesNotConfigured(), 500, 'Entity fee schedule is not configured for this entity; contact the operator'],
  [create.feesInvalid(), 500, 'Entity fee configuration is invalid; contact the operator'],
  [create.fastNotSerialized(), 503, 'Could not serialize fast deposit creation, try again'],
  [create.keyOfAnotherBody(), 422, 'This Idempotency-Key was used with another request body'],
  [create.failed(), 500, 'Failed to create casino deposit'],
  [accept.alreadyDecided('frozen'), 400, "Decision is already 'frozen', cannot accept"],
  [accept.doubleSpent(), 409, 'Cannot accept: the funding transaction was double-spent before confirmation.'],
  [
    accept.notConfirmed('Succeed'),
    409,
    "Cannot accept: transaction status is 'Succeed' (not yet confirmed). Wait for confirmation.",
  ],
  [accept.notEligible('fell_back'), 409, 'Cannot accept: no-conf deposit is not eligible yet (state: fell_back)'],
  [accept.notEligible(null), 409, 'Cannot accept: no-conf deposit is not eligible yet (state: pending)'],
  [accept.wrongStatus('Timedout'), 409, "Cannot accept: transaction status is 'Timedout'."],
  [accept.kytNotCompleted(), 409, 'Cannot accept: KYT screening has not completed.'],
  [accept.kytNotPassed('review'), 409, "Cannot accept: kyt_status is 'review', must be 'passed'."],
  [
    accept.lostTheRace(),
    409,
    "Cannot accept: deposit decision is no longer 'pending' (already decided by a concurrent request)",
  ],
  [accept.transactionNotFound(), 500, 'Underlying transaction not found'],
  [accept.ledgerInvalid(), 500, 'Deposit charge ledger is invalid; contact the operator'],
  [accept.noMarketRate(), 500, 'Transaction has no market rate; cannot re-quote to the received amount'],
  [accept.failed(), 500, 'Failed to accept deposit'],
  [return_.alreadyDecided('accepted'), 400, "Decision is already 'accepted', cannot return"],
  [return_.kytNotCompleted(), 409, 'Cannot return: KYT screening has not completed.'],
  [return_.kytNotPassed('pending'), 409, "Cannot return: kyt_status is 'pending', must be 'passed'."],
  [return_.notConfirmed('Succeed'), 409, "Cannot return: transaction status is 'Succeed' (must be 'Confirmed')"],
  [return_.nothingReceived('0'), 409, 'Cannot return: confirmed_crypto is 0 (must be > 0)'],
  [return_.inProgress(), 409, 'A return is already in progress for this transaction'],
  [
    return_.lostTheRace(),
    409,
    "Cannot return: deposit decision is no longer 'pending' (already decided by a concurrent request)",
  ],
  [return_.failed(), 500, 'Failed to process return'],
  [freeze.alreadyDecided('returned'), 400, "Decision is already 'returned', cannot freeze"],
  [freeze.kytNotCompleted(), 409, 'Cannot freeze: KYT screening has not completed.'],
  [freeze.kytNotPassed('failed'), 409, "Cannot freeze: kyt_status is 'failed', must be 'passed'."],
  [
    freeze.lostTheRace(),
    409,
    "Cannot freeze: deposit decision is no longer 'pending' (already decided by a concurrent request)",
  ],
  [commands.tooManyCalls(), 503, 'Too many calls change this deposit at once; nothing was recorded, try again'],
  [integration.needsApiKey(), 400, 'This endpoint describes an API key; authenticate with X-API-Key'],
  [integration.keyNotFound(), 404, 'API key not found'],
  [integration.unknownEvent('deposit.lost'), 400, "Unknown event 'deposit.lost'."],
  [integration.unknownEvent(undefined), 400, "Unknown event 'undefined'."],
  [integration.noWebhookUrl(), 409, 'No webhook URL is configured for this entity'],
  [integration.rateLimited(17), 429, 'Rate limit exceeded. Try again in 17 seconds.'],
  [http.malformedJson(), 400, 'Malformed JSON in request body'],
  [http.unexpected(), 500, 'Internal server error'],
];

const coded: readonly CodedRow[] = [
  [
    create.fastUnconfirmed({ depositId: 7, status: 'Pending', kind: 'no-conf', paid: false }),
    409,
    'fast_deposit_unconfirmed',
    { blocking_deposit_id: 7, blocking_status: 'Pending' },
  ],
  [
    create.instantOverCap({ requestedUsd: 600.5, maxUsd: 500, tier: 'first' }),
    400,
    'instant_over_cap',
    { requested_usd: 600.5, instant_max_usd: 500, instant_tier: 'first' },
  ],
  [
    accept.instantReceivedOverCap(700, 600),
    409,
    'instant_received_over_cap',
    { received_usd: 700, instant_received_max_usd: 600 },
  ],
  [
    accept.ofacPending('2026-01-01T00:00:00.000Z'),
    409,
    'ofac_screen_pending',
    { ofac_deadline_at: '2026-01-01T00:00:00.000Z' },
  ],
  [return_.ofacPending(), 409, 'ofac_screen_pending', {}],
  [accept.ofacSanctioned(), 409, 'ofac_sanctioned', {}],
  [return_.ofacSanctioned(), 409, 'ofac_sanctioned', {}],
  [accept.lateRequiresCurrentRate(), 400, 'late_payment_requires_current_rate', {}],
  [accept.lateNoReceivedAmount(), 409, 'late_payment_no_received_amount', {}],
  [accept.lateReceivedPrecision(), 409, 'late_payment_received_precision', {}],
  [accept.lateRateUnavailable('BTC'), 502, 'late_payment_rate_unavailable', {}],
  [accept.lateValueUnavailable('BTC'), 502, 'late_payment_rate_unavailable', {}],
];

describe('the catalogue of errors', () => {
  it.each(worded.map(([error, status, detail]) => ({ error, status, detail })))(
    '$status $detail',
    ({ error, status, detail }) => {
      expect([error.status, error.body]).toEqual([status, { detail }]);
    },
  );

  it.each(coded.map(([error, status, code, fields]) => ({ error, status, code, fields })))(
    '$status $code carries $fields at the top level',
    ({ error, status, code, fields }) => {
      expect([error.status, error.body]).toEqual([status, { detail: expect.any(String), code, ...fields }]);
    },
  );

  it('states both amounts of a mismatch, and both ways out', () => {
    const { status, message } = accept.amountMismatch('0.5', '0.4', 'BTC');
    expect(status).toBe(400);
    expect(message).toMatch(/^Amount mismatch: quoted 0\.5 BTC, received 0\.4 BTC; .*adjust_to_received true.*return$/);
  });

  it('names the kind of the fast deposit that blocks another', () => {
    const blocked = { depositId: 7, status: 'Succeed', kind: 'instant', paid: true } as const;
    expect(create.fastUnconfirmed(blocked).message).toMatch(/instant deposit has not reached its first confirmation/);
    expect(create.fastUnconfirmed({ ...blocked, paid: false }).message).toMatch(/open unpaid fast quote .*instant/);
  });

  it('tells a limited caller when to come back', () => {
    expect(integration.rateLimited(17).headers).toEqual({ 'retry-after': '17' });
  });

  it('tells the reader of a list that is behind when to come back, and what to read meanwhile', () => {
    const { status, message, headers } = read.listBehind();
    expect([status, headers]).toEqual([503, { 'retry-after': '5' }]);
    expect(message).toMatch(/try again in 5 seconds, or read a single deposit by its id/);
  });

  it('answers an unknown path in plain text', () => {
    const { status, body, headers } = http.notFound();
    expect([status, body, headers['content-type']]).toEqual([404, '404 Not Found', 'text/plain; charset=utf-8']);
  });

  it('shows a schema mismatch as a list of issues inside a string', () => {
    const issues = [{ path: ['fees', 0, 'percent'], message: 'must be a number' }];
    expect(schemaMismatch(issues)).toMatchObject({
      status: 400,
      body: { success: false, error: { name: 'ZodError', message: JSON.stringify(issues) } },
    });
  });
});
