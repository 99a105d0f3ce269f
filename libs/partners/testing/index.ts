/** Accounts for the specs of other libs and apps. */
export { done } from './done.ts';
export { operatorByRole } from './operator-by-role.ts';
