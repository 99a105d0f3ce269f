/** Ways to a deposit for the specs of other libs. */
export { commandOf, kindsOfCommand, openings } from './arbitrary.ts';
export * from './commands.ts';
export { eventsOf, fold, history } from './given.ts';
