/** Accounts for the specs of other libs and apps. */
export { done } from './done.ts';
export { openTestPartners } from './open-test-partners.ts';
export { operatorByRole } from './operator-by-role.ts';
