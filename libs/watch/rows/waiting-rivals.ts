import { keepSinceIn } from './waiting-since.ts';

/** Since when those wait that would end payments. */
export const keepSince = keepSinceIn('chain_waiting_rivals');
