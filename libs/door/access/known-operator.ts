import type { Operator, OperatorAuthentication, OperatorRefusal } from '#partners';
import { noteOfRequest } from '#platform/logging';
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
  const { id, name } = known.operator;
  noteOfRequest({ caller: `operator ${name ?? id}` });
  return known.operator;
};
