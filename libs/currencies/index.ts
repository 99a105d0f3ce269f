/** Which currencies are switched on for everyone, of both families. */
import { migrationsBeside } from '#platform/migrations';

export { type Currencies, openCurrencies } from './currencies.ts';

export const migrations = migrationsBeside(import.meta.url, 'currencies');
