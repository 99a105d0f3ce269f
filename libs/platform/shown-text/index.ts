export { jsonSafely, shownSafely } from './shown-text.ts';
