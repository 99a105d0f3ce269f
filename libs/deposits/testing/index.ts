/** Ways to a deposit for the specs of other libs. */
export { commandOf, type Dice, kindsOfCommand, openings } from './arbitrary.ts';
export * from './commands.ts';
export { eventsOf, fold, history } from './given.ts';
