/** A desk for the specs of other libs. */
export { createIds } from '../ids.ts';
export { casino, deskTables, made, openTestDesk, paidAndScreened, request, scope, type TestDesk } from './open-desk.ts';
export { watchedLog } from './watched-log.ts';
