import { authenticationErrors, commandErrors, httpErrors, legacyErrors } from '#door/errors';
import { ApiErrors } from '#door/openapi';

const ofToken = (item: string) => [
  legacyErrors.wrongItem(item),
  legacyErrors.invalidToken(),
  authenticationErrors.affiliateDisabled(),
  authenticationErrors.affiliateArchived(),
  httpErrors.crowded(),
];

export const TokenErrors = (item: string) => ApiErrors(...ofToken(item));

export const CreateErrors = () =>
  ApiErrors(
    ...[...ofToken('email'), legacyErrors.noRate('BCH'), legacyErrors.noAddress('BCH')],
    ...[commandErrors.numbersUnavailable(), legacyErrors.failed()],
  );

export const CheckErrors = () => ApiErrors(...ofToken('transaction_id'), legacyErrors.notFound());

export const CancelErrors = () =>
  ApiErrors(
    ...ofToken('transaction_id'),
    legacyErrors.unreadable(),
    legacyErrors.notFound(),
    legacyErrors.tooLateToCancel('Pending'),
    commandErrors.tooManyCalls(),
  );
