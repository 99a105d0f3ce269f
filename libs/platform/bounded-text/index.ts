export { boundedText } from './bounded-text.ts';
