export { missingNode, type NodeName } from './programs.ts';
export { type RunningNode, startNode } from './start.ts';
