export { CheckDanger, type Danger, type DangerCheck, Dangerous } from './dangerous.ts';
export { operationsFor } from './operations.ts';
export { Actor, AUTHENTICATE_OPERATOR, knowingOperators, knownOperator } from './operator.guard.ts';
export { OperatorErrors, OperatorRoutes } from './operator-routes.ts';
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
