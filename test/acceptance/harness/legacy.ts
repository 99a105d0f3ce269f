import { request } from 'node:http';
import { newAffiliate } from './casino.ts';
import { type Answer, type Body, jsonType, objectOf } from './http.ts';
import { done, type Service, type SignalResult } from './service.ts';
import { transactionId, unique } from './unique.ts';

/** What every case of the older interface may count on. */
export const legacyRates = { BTC: '50000', LTC: '100', DASH: '30', MARS: '0.05', BCH: '400' } as const;

export type LegacyPartner = {
  readonly affiliateId: number;
  readonly tokenId: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly post: (path: string, body?: Body) => Promise<Answer>;
  /** A create body that succeeds: 100 USD in BCH. */
  readonly order: (fields?: Body) => Body;
  readonly create: (fields?: Body) => Promise<number>;
  readonly check: (id: number) => Promise<Body>;
};

export const issueToken = async (service: Service, affiliateId: number, fields: Body = {}) => {
  const made = done(await service.operator('POST', `/operator/affiliates/${affiliateId}/access-tokens`, fields));
  return { id: Number(made.id), accessToken: String(made.access_token), refreshToken: String(made.refresh_token) };
};

export const newLegacyPartner = async (service: Service, affiliate: Body = {}): Promise<LegacyPartner> => {
  const affiliateId = await newAffiliate(service, affiliate);
  const { id: tokenId, ...tokens } = await issueToken(service, affiliateId);
  const post: LegacyPartner['post'] = (path, body = {}) =>
    service.call('POST', path, { json: { access_token: tokens.accessToken, ...body } });
  const order: LegacyPartner['order'] = (fields = {}) => ({
    email: `${unique('payer')}@mail.example`,
    amount: 100,
    crypto_selected: 'BCH',
    label: unique('order'),
    ...fields,
  });
  return {
    ...{ affiliateId, tokenId, ...tokens, post, order },
    create: async (fields) => Number(done(await post('/create_transaction', order(fields))).transaction_id),
    check: async (id) => done(await post('/check_transaction', { transaction_id: id })),
  };
};

/** Reports of the engine about one transaction, a payment of one id unless told. */
export const engineOf = (service: Service, id: number) => {
  const txid = transactionId();
  const report = async (type: string, fields: Body = {}): Promise<SignalResult['outcome']> => {
    const at = new Date().toISOString();
    const signal = { signal_id: unique('signal'), type, transaction_id: id, at, ...fields };
    const [result] = await service.signals([signal]);
    if (!result) throw new Error('no result');
    return result.outcome;
  };
  return {
    report,
    seen: (amount: string, fields: Body = {}) => report('payment.seen', { txid, amount, ...fields }),
    confirmed: (fields: Body = {}) => report('payment.confirmed', { txid, confirmations: 1, ...fields }),
    timedOut: () => report('quote.expired'),
  };
};

/** A GET with a body, which fetch refuses to send. */
export const getWithBody = (base: string, path: string, body: string, headers = jsonType): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    const asked = request(`${base}${path}`, { method: 'GET', headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: new Headers(), text, body: objectOf(text) });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });

export const pinLegacyRates = async (service: Service): Promise<void> => {
  for (const [ticker, usd] of Object.entries(legacyRates))
    done(await service.operator('PUT', `/operator/rates/${ticker}`, { usd }));
};
