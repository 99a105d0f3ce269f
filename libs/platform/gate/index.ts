export { Crowded, createGate, type GateOptions } from './gate.ts';
