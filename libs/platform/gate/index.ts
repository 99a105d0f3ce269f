export { type Comer, Crowded, createGate, type GateOptions } from './gate.ts';
