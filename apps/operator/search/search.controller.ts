import { type DynamicModule, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import type { Addresses } from '#addresses';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { type Found, lookUp } from '#inbox';
import type { DepositReads } from '#read-models/deposits';
import type { TransactionReads } from '#read-models/legacy-transactions';
import { caughtUp, type ReadModel } from '../http/caught-up.ts';
import { SearchBody, SearchQuery } from './search-bodies.ts';

type SearchParts = {
  readonly pool: pg.Pool;
  readonly addresses: Pick<Addresses, 'ownerOf'>;
  readonly reads: Pick<DepositReads, 'byId' | 'isUpToDate'>;
  readonly transactions: Pick<TransactionReads, 'byId'>;
  readonly returns: ReadModel;
};

const SEARCH = Symbol('search');

const shownAt: Readonly<Record<Found['kind'], (id: string) => string>> = {
  deposit: (id) => `/operator/deposits/${id}`,
  transaction: (id) => `/operator/transactions?transaction_id=${id}`,
  delivery: (id) => `/operator/webhook-deliveries/${id}`,
  casino: (id) => `/operator/deposits?entity_id=${id}`,
  player: (id) => `/operator/deposits?gambler_ref=${encodeURIComponent(id)}`,
};

const numberOf = (name: string): number | undefined => (/^\d{1,15}$/.test(name) ? Number(name) : undefined);

@OperatorRoutes('operator/search', 'Operator: console', 'admin', 'ops', 'auditor')
class SearchController {
  @Inject(SEARCH) private readonly parts!: SearchParts;

  @Get()
  @Described('search', 'What has this id, address or transaction', 'It answers also while read models stand still.')
  @ApiOkResponse({ type: SearchBody })
  async search(@Query() { q }: SearchQuery): Promise<SearchBody> {
    const name = q.trim();
    const number = numberOf(name);
    const all = await Promise.all([
      this.#byId(number),
      this.#byAddress(name.replace(/\s/g, '')),
      this.#byName(name, number),
    ]);
    const found = new Map(all.flat().map((each) => [`${each.kind} ${each.id} ${each.by}`, each]));
    return { found: [...found.values()].map((each) => ({ ...each, href: shownAt[each.kind](each.id) })) };
  }

  async #byName(name: string, number: number | undefined): Promise<readonly Found[]> {
    const { pool, reads, returns } = this.parts;
    await caughtUp([reads, returns]);
    return lookUp(pool, name, number);
  }

  /** Complete also while their read models stand still. */
  async #byId(id: number | undefined): Promise<readonly Found[]> {
    if (id === undefined) return [];
    const { reads, transactions } = this.parts;
    const [deposit, transaction] = await Promise.all([reads.byId(id), transactions.byId(id)]);
    const found = { id: String(id), by: 'id' } as const;
    return [
      ...(deposit ? [{ kind: 'deposit', ...found } as const] : []),
      ...(transaction ? [{ kind: 'transaction', ...found } as const] : []),
    ];
  }

  async #byAddress(address: string): Promise<readonly Found[]> {
    const owner = await this.parts.addresses.ownerOf(address);
    if (!owner) return [];
    return 'depositId' in owner
      ? [{ kind: 'deposit', id: String(owner.depositId), by: 'address' }]
      : [{ kind: 'transaction', id: String(owner.transactionId), by: 'address' }];
  }
}

export const searchRoutes = (parts: SearchParts): DynamicModule => routesOf([SearchController], { [SEARCH]: parts });
