import type { Answer, Call } from './http.ts';
import type { Service } from './service.ts';

/** One API key and what it can ask. */
export type Partner = {
  readonly key: string;
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>;
  readonly create: (body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly list: (query: string) => Promise<Answer>;
  readonly describe: () => Promise<Answer>;
};

export const partnerOf = (service: Service, key: string): Partner => {
  const call: Partner['call'] = (method, path, { headers, ...rest } = {}) =>
    service.call(method, path, { headers: { 'X-API-Key': key, ...headers }, ...rest });
  return {
    key,
    call,
    create: (body, headers) => call('POST', '/casino/deposit_address', { json: body, headers: { ...headers } }),
    list: (query) => call('GET', `/casino/deposits${query}`),
    describe: () => call('GET', '/casino/integration/key'),
  };
};
