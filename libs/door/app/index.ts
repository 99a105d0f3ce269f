/** How parts of the service become a process. */
export type { App, AppParts, CommandsOnBus, OpenApp } from './app.ts';
export { run } from './run.ts';
