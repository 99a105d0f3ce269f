export { addressesTables } from './open-test-addresses.ts';
