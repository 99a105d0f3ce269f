import { type DepositHandle, depositOf } from './deposit.ts';
import type { Body } from './http.ts';
import { type Partner, partnerOf } from './partner.ts';
import { done, type Service } from './service.ts';
import { as, type Deposit, type DepositList, type Quote } from './shapes.ts';
import { unique, uniquePhone } from './unique.ts';

export type Player = { readonly gambler_ref: string; readonly phone: string };

export type Casino = Partner & {
  readonly service: Service;
  readonly affiliateId: number;
  readonly entityId: number;
  readonly keyId: number;
  readonly player: (player?: Partial<Player>) => Promise<Player>;
  /** A create body that succeeds for a verified player: 100 USD in BTC. */
  readonly order: (player: Player, fields?: Body) => Body;
  readonly deposit: (fields?: Body, player?: Player) => Promise<DepositHandle>;
  readonly read: (depositId: number) => Promise<Deposit>;
  readonly deposits: (query?: string) => Promise<DepositList>;
};

export type CasinoOptions = { readonly affiliate?: Body; readonly entity?: Body; readonly key?: Body };

export const newAffiliate = async (service: Service, fields: Body = {}): Promise<number> =>
  Number(done(await service.operator('POST', '/operator/affiliates', { name: unique('affiliate'), ...fields })).id);

export const newEntity = async (service: Service, affiliateId: number, fields: Body = {}): Promise<number> =>
  Number(
    done(
      await service.operator('POST', '/operator/entities', {
        affiliate_id: affiliateId,
        name: unique('casino'),
        fees: [],
        ...fields,
      }),
    ).id,
  );

export const newKey = async (
  service: Service,
  affiliateId: number,
  fields: Body = {},
): Promise<{ id: number; key: string }> => {
  const made = done(
    await service.operator('POST', '/operator/api-keys', { affiliate_id: affiliateId, scope: 'admin', ...fields }),
  );
  return { id: Number(made.id), key: String(made.key) };
};

export const setPlayer = async (service: Service, fields: Body): Promise<void> => {
  done(await service.operator('PUT', '/operator/players', fields));
};

/** With every permission that a case may need, unless told: a fast deposit is refused for its own reasons alone. */
const permissive = { no_conf_allowed: true, instant_allowed: true };

export const casinoOf = (
  service: Service,
  affiliateId: number,
  entityId: number,
  made: { id: number; key: string },
) => {
  const partner = partnerOf(service, made.key);
  const player: Casino['player'] = async (known = {}) => {
    const verified = { gambler_ref: unique('player'), phone: uniquePhone(), ...known };
    await setPlayer(service, { entity_id: entityId, kyc: 'verified', ...verified });
    return verified;
  };
  const order: Casino['order'] = (who, fields = {}) => ({
    entity_id: entityId,
    currency: 'BTC',
    amount: 100,
    ...who,
    ...fields,
  });
  const casino: Casino = {
    ...partner,
    service,
    affiliateId,
    entityId,
    keyId: made.id,
    player,
    order,
    deposit: async (fields, who) => {
      const answer = await partner.create(order(who ?? (await player()), fields));
      const quote = as<Quote>(done(answer));
      if (quote.status !== 'ok') throw new Error(`no deposit was made: ${answer.text}`);
      return depositOf(service, partner, quote);
    },
    read: async (depositId) => as<Deposit>(done(await partner.call('GET', `/casino/deposit/${depositId}`))),
    deposits: async (query = '') => as<DepositList>(done(await partner.list(`?entity_id=${entityId}${query}`))),
  };
  return casino;
};

/** An affiliate, a casino and a key of its own, so that no case meets another's. */
export const newCasino = async (service: Service, options: CasinoOptions = {}): Promise<Casino> => {
  const affiliateId = await newAffiliate(service, options.affiliate);
  const entityId = await newEntity(service, affiliateId, { ...permissive, ...options.entity });
  return casinoOf(service, affiliateId, entityId, await newKey(service, affiliateId, options.key));
};
