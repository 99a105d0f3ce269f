export { type Comer, Crowded, createGate, type GateOptions } from './gate.ts';
export { outsidersOf } from './outsiders.ts';
