export type { AppName, Instance } from './instance.ts';
export { type Kills, killAtRandom } from './kills.ts';
export { openStage, type Stage } from './stage.ts';
