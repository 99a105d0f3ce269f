export { isStrong } from './strength.ts';
