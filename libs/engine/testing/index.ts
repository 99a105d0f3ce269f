export { engineTables, openTestEngine, type TestEngine } from './open-engine.ts';
export { until } from './until.ts';
