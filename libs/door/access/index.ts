export { Actor } from './actor.ts';
export { CheckDanger, Dangerous } from './dangerous.ts';
export { knownOperator } from './known-operator.ts';
export { operationsFor } from './operations.ts';
export { AUTHENTICATE_OPERATOR, knowingOperators } from './operator.guard.ts';
export { OperatorErrors } from './operator-errors.ts';
export { OperatorRoutes } from './operator-routes.ts';
export { Roles } from './roles.ts';
export {
  checkEncrypted,
  checkFromConsole,
  clearSessionCookie,
  cookieNamed,
  sessionOfLink,
  sessionSecretOf,
  setSessionCookie,
} from './session-cookie.ts';
