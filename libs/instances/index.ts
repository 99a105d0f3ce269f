/** Which processes of the service run: each says so itself, again and again. */
import { migrationsBeside } from '#platform/migrations';

export { type Instance, listInstances } from './list.ts';
export { startBeating } from './start-beating.ts';

export const migrations = migrationsBeside(import.meta.url, 'instances');
