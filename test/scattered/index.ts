export { killAtRandom } from './kills.ts';
export { openStage, type Stage } from './stage.ts';
