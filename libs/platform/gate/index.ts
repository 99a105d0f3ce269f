export { Crowded, createGate, type Gate, type GateOptions } from './gate.ts';
