import type { Operator, OperatorAuthentication, OperatorRefusal } from '#partners';
import { answersTo } from '../answers/index.ts';
import { authenticationErrors } from '../errors/index.ts';

const answerTo = answersTo<OperatorRefusal>({
  missing: authenticationErrors.missing,
  invalid: authenticationErrors.invalidToken,
  revoked: authenticationErrors.tokenRevoked,
});

/** The operator, or the 401 of the token. */
export const knownOperator = (known: OperatorAuthentication): Operator => {
  if (known.outcome === 'refused') throw answerTo(known.refusal);
  return known.operator;
};
