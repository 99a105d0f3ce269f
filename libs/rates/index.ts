/** What a coin costs: pinned by an operator, or asked of providers. */
import { migrationsBeside } from '#platform/migrations';

export type { PinOutcome } from './pins/pins.ts';
export { openRates, type Rates } from './rates.ts';
export { coinbase } from './sources/coinbase.ts';
export { kraken } from './sources/kraken.ts';
export { simulatedRates } from './sources/simulated.ts';
export type { RateSource } from './sources/source.ts';

export const migrations = migrationsBeside(import.meta.url, 'rates');
