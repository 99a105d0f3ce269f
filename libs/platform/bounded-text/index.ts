export { boundedText, type Sieve, TooLarge } from './bounded-text.ts';
