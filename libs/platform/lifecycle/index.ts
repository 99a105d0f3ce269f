export { createLifecycle, type Lifecycle, STAGES } from './lifecycle.ts';
export { stopOnSignals } from './signals.ts';
