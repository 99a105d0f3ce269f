import { depositStreamPrefix } from '#deposit-commands';
import type { EventFilter } from '#event-log';
import { transactionStreamPrefix } from '#legacy-commands';

/** What of the log partners are told of. */
export const relayed = { streamPrefixes: [depositStreamPrefix, transactionStreamPrefix] } satisfies EventFilter;
