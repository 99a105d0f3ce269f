export { Actor } from './actor.ts';
export { AUTHENTICATE_OPERATOR, OperatorGuard } from './operator.guard.ts';
export { OperatorErrors } from './operator-errors.ts';
export { Roles } from './roles.ts';
