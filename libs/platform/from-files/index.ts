export { type Variables, withFiles } from './from-files.ts';
