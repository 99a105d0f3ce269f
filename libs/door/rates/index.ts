/** How often who may call: counted over all instances, told in headers. */
export { limitFailingCalls } from './failing-calls.ts';
export { type RatesParts, ratesOn, useRateOfAddress, useRates } from './rates.ts';
