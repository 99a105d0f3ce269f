export { describeRateSource } from './rate-source.ts';
