/** A desk for the specs of other libs. */
export { casino, paidAndScreened, request, scope } from './open-desk.ts';
