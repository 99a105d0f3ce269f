/** How parts of the service become a process. */
export type { App, CommandsOnBus } from './app.ts';
export { run } from './run.ts';
