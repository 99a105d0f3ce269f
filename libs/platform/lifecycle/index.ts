export { createLifecycle, type Lifecycle, type LifecycleOptions, STAGES, type Stage } from './lifecycle.ts';
export { type SignalOptions, stopOnSignals } from './signals.ts';
