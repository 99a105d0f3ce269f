export { given, minute, signal, started } from './given.ts';
