export { type Comer, Crowded, createGate, type Gate, type GateOptions } from './gate.ts';
export { outsidersOf, strangerFrom } from './outsiders.ts';
