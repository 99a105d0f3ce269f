export { Actor } from './actor.ts';
export { knownOperator } from './known-operator.ts';
export { AUTHENTICATE_OPERATOR } from './operator.guard.ts';
export { OperatorErrors } from './operator-errors.ts';
export { OperatorRoutes } from './operator-routes.ts';
export { Roles } from './roles.ts';
