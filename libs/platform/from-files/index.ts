export { textIn, type Variables, withFiles } from './from-files.ts';
