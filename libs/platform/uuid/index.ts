export { uuidOf } from './uuid.ts';
