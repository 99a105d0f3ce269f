import { type Casino, type CasinoOptions, newCasino } from './casino.ts';
import type { Endpoint, OpenEndpoint } from './endpoint.ts';
import type { Body } from './http.ts';
import type { Manner } from './manners.ts';
import type { Service } from './service.ts';
import { unique } from './unique.ts';

export type Hooked = { readonly casino: Casino; readonly endpoint: Endpoint; readonly secret: string };

/** Makes casinos with an endpoint of their own. */
export const hookedCasinos =
  (service: Service, open: OpenEndpoint) =>
  async (entity: Body = {}, manner?: Manner, options: CasinoOptions = {}): Promise<Hooked> => {
    const endpoint = await open(manner);
    const secret = unique('secret');
    const webhook = { url: endpoint.url, secret };
    return { casino: await newCasino(service, { ...options, entity: { webhook, ...entity } }), endpoint, secret };
  };
