import type { CasinoFor } from '#partners';
import type { DepositReads } from '#read-models/deposits';

/** What the routes that read need. */
export type ReadRoutesParts = { readonly reads: Pick<DepositReads, 'byId' | 'list'>; readonly casinoFor: CasinoFor };

export const READ_ROUTES = Symbol('routes that read deposits');
