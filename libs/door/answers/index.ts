/** Where what libs answer becomes what the interface answers. */
export { unapplied } from './deposits.ts';
export { orFailed } from './failed.ts';
export { answersTo, appliedOr } from './table.ts';
