import {
  acceptErrors,
  authenticationErrors,
  commandErrors,
  freezeErrors,
  httpErrors,
  returnErrors,
  type ShownError,
  schemaMismatch,
  scopeErrors,
} from '#door/errors';
import { ApiErrors } from '#door/openapi';

const common = (): readonly ShownError[] => [
  ...Object.values(authenticationErrors).map((error) => error()),
  httpErrors.malformedJson(),
  scopeErrors.invalidDepositId(),
  scopeErrors.depositNotFound(),
  commandErrors.tooManyCalls(),
  httpErrors.crowded(),
];

export const AcceptErrors = () =>
  ApiErrors(
    ...common(),
    schemaMismatch([{ path: ['adjust_to_received'], message: 'must be a boolean value' }]),
    acceptErrors.alreadyDecided('accepted'),
    acceptErrors.doubleSpent(),
    acceptErrors.notConfirmed('Succeed'),
    acceptErrors.notEligible(null),
    acceptErrors.wrongStatus('Pending'),
    acceptErrors.ofacSanctioned(),
    acceptErrors.ofacPending('2026-01-01T00:01:00.000Z'),
    acceptErrors.lateRequiresCurrentRate(),
    acceptErrors.lateNoReceivedAmount(),
    acceptErrors.lateRateUnavailable('BTC'),
    acceptErrors.lateValueUnavailable('BTC'),
    acceptErrors.instantReceivedOverCap(612.5, 600),
    acceptErrors.kytNotCompleted(),
    acceptErrors.kytNotPassed('review'),
    acceptErrors.amountMismatch('0.00171718', '0.0017', 'BTC'),
    acceptErrors.lateReceivedPrecision(),
    acceptErrors.lostTheRace(),
    acceptErrors.transactionNotFound(),
    acceptErrors.ledgerInvalid(),
    acceptErrors.noMarketRate(),
    acceptErrors.failed(),
  );

export const ReturnErrors = () =>
  ApiErrors(
    ...common(),
    schemaMismatch([{ path: ['return_address'], message: 'Required' }]),
    returnErrors.alreadyDecided('frozen'),
    returnErrors.ofacSanctioned(),
    returnErrors.ofacPending('2026-01-01T00:01:00.000Z'),
    returnErrors.kytNotCompleted(),
    returnErrors.kytNotPassed('review'),
    returnErrors.notConfirmed('Succeed'),
    returnErrors.nothingReceived('0'),
    returnErrors.inProgress(),
    returnErrors.lostTheRace(),
    commandErrors.numbersUnavailable(),
    returnErrors.failed(),
  );

export const FreezeErrors = () =>
  ApiErrors(
    ...common(),
    freezeErrors.alreadyDecided('accepted'),
    freezeErrors.kytNotCompleted(),
    freezeErrors.kytNotPassed('review'),
    freezeErrors.lostTheRace(),
  );
