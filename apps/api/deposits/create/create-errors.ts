import {
  authenticationErrors,
  commandErrors,
  createDepositErrors,
  httpErrors,
  schemaMismatch,
  scopeErrors,
} from '#door/errors';
import { ApiErrors } from '#door/openapi';
import { malformedKey } from './idempotency-key.ts';

/** Every way in which POST /casino/deposit_address can be refused, with an example of each. */
export const CreateDepositErrors = () =>
  ApiErrors(
    ...Object.values(authenticationErrors).map((error) => error()),
    httpErrors.malformedJson(),
    schemaMismatch([{ path: ['amount'], message: 'must be a positive number' }]),
    malformedKey(),
    scopeErrors.otherEntity(),
    scopeErrors.entityNotFound(),
    scopeErrors.entityDisabled('disabled'),
    httpErrors.tooManyCalls(42),
    createDepositErrors.kycUnavailable(),
    createDepositErrors.instantNotEnabled(),
    createDepositErrors.noConfNotEnabled(),
    createDepositErrors.currencyOff('BTC'),
    createDepositErrors.currencyOffForAffiliate('BTC'),
    createDepositErrors.noRate('BTC'),
    createDepositErrors.feesNotConfigured(),
    createDepositErrors.feesInvalid(),
    createDepositErrors.amountUnderMin({ requestedUsd: 2, limitUsd: 5 }),
    createDepositErrors.amountOverMax({ requestedUsd: 2_500, limitUsd: 1_000 }),
    createDepositErrors.instantOverCap({ requestedUsd: 510, maxUsd: 500, tier: 'first' }),
    createDepositErrors.fastNotSerialized(),
    createDepositErrors.fastUnconfirmed({ depositId: 1021, status: 'Pending', kind: 'no-conf', paid: false }),
    createDepositErrors.keyOfAnotherBody(),
    commandErrors.numbersUnavailable(),
    httpErrors.crowded(),
    createDepositErrors.failed(),
  );
