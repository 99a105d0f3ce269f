import { describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Arrival,
  answers,
  as,
  type Body,
  type Casino,
  canonical,
  delayed,
  deliveriesOf,
  type Endpoint,
  echoedFields,
  endless,
  endpoints,
  hangUp,
  hookedCasinos,
  newCasino,
  newEntity,
  newKey,
  partnerOf,
  type Service,
  signatureOf,
  verdict,
} from '../harness/index.ts';

const common = [
  'acceptable',
  'confirmed_crypto',
  'crypto_amount',
  'currency',
  'decision',
  'deposit_id',
  'entity_external_code',
  'entity_id',
  'event',
  'gambler_ref',
  'instant',
  'instant_downgraded',
  'test',
  'timestamp',
  'transaction_id',
];

const payment = ['address', ...echoedFields, 'no_conf', 'no_conf_state', 'status', 'txids'];

const generic = [
  'confirmed_crypto',
  'crypto_amount',
  'currency',
  'deposit_id',
  'entity_external_code',
  'entity_id',
  'event',
  'status',
  'test',
  'timestamp',
  'transaction_id',
  'usd_amount',
];

const accepted = [
  'address',
  'adjusted',
  'affiliate_fee_usd',
  'affiliate_net_usd',
  'bf_fee_usd',
  'bf_spread_usd',
  'charges',
  'crypto_rate',
  'decision_at',
  'entity_net_usd',
  'fee',
  'fee_usd',
  ...echoedFields,
  'no_conf',
  'player_amount',
  'usd_amount',
];

const keysOf: Readonly<Record<string, readonly string[]>> = {
  'deposit.received': [...common, ...payment],
  'deposit.confirmed': [...common, ...payment],
  kyt_complete: [...common, 'kyt_risk_score', 'kyt_status'],
  ofac_complete: [...common, 'ofac_result'],
  double_spend_alert: [...common, 'double_spend_txid', 'double_spent_at', 'no_conf_state'],
  'deposit.accepted': [...common, ...accepted],
  'deposit.returned': [...common, 'decision_at', 'reason', 'return_address', 'return_id'],
  'deposit.frozen': [...common, 'decision_at'],
  'transaction.pending': generic,
  'transaction.succeed': generic,
  'transaction.underpaid': generic,
  'transaction.overpaid': generic,
  'transaction.confirmed': generic,
  'transaction.timedout': generic,
  'transaction.cancelled': generic,
  'transaction.refund': [...generic, 'refund_txid', 'return_id'],
  'transaction.settled': generic,
};

type Result = {
  readonly event: string;
  readonly url: string;
  readonly signed: boolean;
  readonly signature: string | null;
  readonly delivered: boolean;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly response_excerpt: string | null;
  readonly error: string | null;
  readonly payload: Body;
};

const event = 'deposit.accepted';

/** Each case has a key of its own, and so ten calls. */
export const testWebhook = (service: Service): void => {
  const open = endpoints();
  const hooked = hookedCasinos(service, open);

  const call = ({ call: ask, entityId }: Casino, fields: Body = {}): Promise<Answer> =>
    ask('POST', '/casino/integration/test-webhook', { json: { entity_id: entityId, event, ...fields } });
  const resultOf = (answer: Answer): Result => {
    expect(answer.status).toBe(200);
    return as<Result>(answer.body);
  };
  const test = async (casino: Casino, fields?: Body): Promise<Result> => resultOf(await call(casino, fields));
  const only = (endpoint: Endpoint): Arrival => {
    const [arrival, ...more] = endpoint.arrivals;
    if (!arrival || more.length > 0) throw new Error(`${endpoint.arrivals.length} requests came instead of one`);
    return arrival;
  };

  describe('a test event', () => {
    it.each(Object.keys(keysOf))('has the keys of a real one, and is marked: %s', async (name) => {
      const { casino, endpoint } = await hooked({ external_code: 'P-1' });
      const { payload, event: sent } = await test(casino, { event: name });
      const { body, headers, raw } = only(endpoint);
      expect(Object.keys(body).sort()).toEqual([...(keysOf[name] ?? [])].sort());
      expect(body).toMatchObject({
        event: name,
        test: true,
        deposit_id: 0,
        transaction_id: 0,
        entity_id: casino.entityId,
        entity_external_code: 'P-1',
      });
      expect(headers['x-webhook-test']).toBe('true');
      expect(raw.toString('utf8')).toBe(canonical(body));
      expect([sent, payload]).toEqual([name, body]);
    });

    it('has the types of a real one', async () => {
      const { casino, endpoint } = await hooked({ external_code: 'P-1' });
      await test(casino);
      const { body } = only(endpoint);
      const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
      expect(Object.fromEntries(Object.entries(body).map(([key, value]) => [key, typeOf(value)]))).toMatchObject({
        acceptable: 'boolean',
        address: 'string',
        adjusted: 'boolean',
        charges: 'array',
        confirmed_crypto: 'number',
        crypto_amount: 'number',
        crypto_rate: 'string',
        currency: 'string',
        decision: 'string',
        decision_at: 'string',
        entity_net_usd: 'number',
        fee: 'number',
        gambler_ref: 'string',
        instant: 'boolean',
        no_conf: 'boolean',
        player_amount: 'number',
        timestamp: 'number',
        usd_amount: 'number',
      });
      expect(Math.abs(Number(body.timestamp) - Date.now() / 1000)).toBeLessThan(5);
    });

    it('is a POST of JSON, signed like a real one', async () => {
      const { casino, endpoint, secret } = await hooked();
      const { signature, signed } = await test(casino);
      const { method, headers, raw } = only(endpoint);
      expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
      expect(headers['x-webhook-signature']).toBe(signatureOf(raw, secret));
      expect([signed, signature]).toEqual([true, signatureOf(raw, secret)]);
      expect(headers).toMatchObject({
        'x-webhook-id': expect.stringMatching(/./),
        'x-webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      });
    });

    it('is unsigned where deliveries are', async () => {
      const endpoint = await open();
      const casino = await newCasino(service, { entity: { webhook: { url: endpoint.url, signed: false } } });
      expect(await test(casino)).toMatchObject({ signed: false, signature: null, delivered: true });
      expect(only(endpoint).headers).not.toHaveProperty('x-webhook-signature');
    });

    it('goes to the configured URL, and no other can be named', async () => {
      const [{ casino, endpoint }, other] = [await hooked(), await open()];
      expect(await test(casino, { url: other.url, webhook: { url: other.url } })).toMatchObject({ url: endpoint.url });
      expect([endpoint.arrivals.length, other.connections()]).toEqual([1, 0]);
    });

    it('goes to the URL of a key where the casino has none, signed with its secret', async () => {
      const [wide, locked] = [await open(), await open()];
      const casino = await newCasino(service, { key: { webhook: { url: wide.url, secret: 'of-the-wide-key' } } });
      expect(await test(casino)).toMatchObject({ url: wide.url, delivered: true });
      expect(only(wide).headers['x-webhook-signature']).toBe(signatureOf(only(wide).raw, 'of-the-wide-key'));
      const webhook = { url: locked.url, secret: 'of-the-locked-key' };
      await newKey(service, casino.affiliateId, { entity_id: casino.entityId, webhook });
      expect(await test(casino)).toMatchObject({ url: locked.url, delivered: true });
      expect(only(locked).headers['x-webhook-signature']).toBe(signatureOf(only(locked).raw, 'of-the-locked-key'));
    });

    it.each(['enabled', 'active', 'disabled'])('is sent for a casino that is %s', async (status) => {
      const { casino, endpoint } = await hooked({ status });
      expect(await test(casino)).toMatchObject({ delivered: true });
      expect(endpoint.arrivals).toHaveLength(1);
    });

    it('is sent once, and nothing of it is kept or repeated', async () => {
      const { casino, endpoint } = await hooked({}, answers(500));
      expect(await test(casino)).toMatchObject({ delivered: false });
      expect(await deliveriesOf(service, { entity_id: casino.entityId })).toEqual([]);
      expect((await casino.deposits()).total).toBe(0);
      expect(endpoint.arrivals).toHaveLength(1);
    });
  });

  describe('the answer to a test', () => {
    it('has exactly the keys of the interface', async () => {
      const { casino, endpoint, secret } = await hooked({}, answers(200, 'thank you'));
      const answer = await test(casino);
      const { raw, body } = only(endpoint);
      expect(answer).toEqual({
        event,
        url: endpoint.url,
        signed: true,
        signature: signatureOf(raw, secret),
        delivered: true,
        status_code: 200,
        duration_ms: expect.any(Number),
        response_excerpt: 'thank you',
        error: null,
        payload: body,
      });
    });

    it.each([201, 204, 299])('says delivered for a %i', async (code) => {
      const { casino } = await hooked({}, answers(code));
      expect(await test(casino)).toMatchObject({ delivered: true, status_code: code, error: null });
    });

    it.each([400, 404, 410, 429, 500, 503])('says not delivered for a %i, and what was answered', async (code) => {
      const { casino, endpoint } = await hooked({}, answers(code, 'not today', { 'Retry-After': '1' }));
      expect(await test(casino)).toMatchObject({
        delivered: false,
        status_code: code,
        response_excerpt: 'not today',
        error: null,
      });
      expect(endpoint.arrivals).toHaveLength(1);
    });

    it.each([301, 302, 303, 307, 308])('says not delivered for a %i, which nobody follows', async (code) => {
      const elsewhere = await open();
      const { casino } = await hooked({}, answers(code, '', { Location: elsewhere.url }));
      expect(await test(casino)).toMatchObject({ delivered: false, status_code: code });
      expect(elsewhere.connections()).toBe(0);
    });

    const unanswered = {
      delivered: false,
      status_code: null,
      response_excerpt: null,
      error: expect.stringMatching(/./),
    };

    it('says why no answer came: a refused connection', async () => {
      const { casino, endpoint } = await hooked();
      await endpoint.refuse();
      expect(await test(casino)).toMatchObject({ ...unanswered, url: endpoint.url, signed: true, payload: { event } });
    });

    it('says why no answer came: a connection that ends', async () => {
      const { casino } = await hooked({}, hangUp);
      expect(await test(casino)).toMatchObject(unanswered);
    });

    it('says why no answer came: a host that is not there', async () => {
      const casino = await newCasino(service, { entity: { webhook: { url: 'http://nowhere.invalid/hooks' } } });
      expect(await test(casino)).toMatchObject(unanswered);
    });

    it('says how long it took', async () => {
      const { casino } = await hooked({}, delayed(400, answers(200)));
      const { duration_ms } = await test(casino);
      expect(duration_ms).toBeGreaterThanOrEqual(390);
      expect(duration_ms).toBeLessThan(5_000);
    });

    it('excerpts the first 500 characters, of any alphabet', async () => {
      const long = `${'ü玩'.repeat(250)}and more`;
      const { casino } = await hooked({}, answers(200, long, { 'Content-Type': 'text/plain; charset=utf-8' }));
      expect((await test(casino)).response_excerpt).toBe(long.slice(0, 500));
      const { casino: other } = await hooked({}, answers(200, 'x'.repeat(500)));
      expect((await test(other)).response_excerpt).toBe('x'.repeat(500));
    });

    it('reads no more of a body than it shows: one that is big, and one that has no end', async () => {
      for (const manner of [answers(200, 'y'.repeat(5_000_000)), endless(200, 'y'.repeat(5_000))]) {
        const { casino } = await hooked({}, manner);
        const { delivered, response_excerpt, duration_ms } = await test(casino);
        expect([delivered, response_excerpt]).toEqual([true, 'y'.repeat(500)]);
        expect(duration_ms).toBeLessThan(5_000);
      }
    });
  });

  describe('the rate limit of tests', () => {
    const remaining = ({ headers }: Answer) => headers.get('x-ratelimit-remaining');

    it('is told with every answer, and its window does not move', async () => {
      const { casino } = await hooked();
      const [first, second] = [await call(casino), await call(casino)];
      expect([first, second].map(({ status }) => status)).toEqual([200, 200]);
      expect([first, second].map(remaining)).toEqual(['9', '8']);
      expect(second.headers.get('x-ratelimit-reset')).toBe(first.headers.get('x-ratelimit-reset'));
      expect(first.headers.get('x-ratelimit-limit')).toBe('10');
      expect(first.headers.get('retry-after')).toBeNull();
    });

    it('lets ten of many at once through', async () => {
      const { casino, endpoint } = await hooked();
      const all = await Promise.all(Array.from({ length: 14 }, () => call(casino)));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
      const over = all.filter(({ status }) => status === 429);
      expect(over).toHaveLength(4);
      for (const answer of over) {
        const seconds = answer.headers.get('retry-after');
        expect(verdict(answer)).toEqual({
          status: 429,
          detail: `Rate limit exceeded. Try again in ${seconds} seconds.`,
        });
      }
      expect(endpoint.arrivals).toHaveLength(10);
    });

    it('counts refusals for the lock of the key', async () => {
      const { casino } = await hooked();
      const other = await newEntity(service, casino.affiliateId);
      const { key } = await newKey(service, casino.affiliateId, { entity_id: other });
      const locked = { ...casino, ...partnerOf(service, key) };
      const refused = await call(locked);
      expect(verdict(refused)).toEqual({ status: 403, detail: 'API key is scoped to a different entity' });
      expect(remaining(refused)).toBe('9');
      expect(remaining(await call(locked))).toBe('8');
    });

    it('counts each key alone', async () => {
      const { casino } = await hooked();
      const { key } = await newKey(service, casino.affiliateId);
      await call(casino);
      expect(remaining(await call({ ...casino, ...partnerOf(service, key) }))).toBe('9');
    });

    it('counts no call of a key that is none any more', async () => {
      const { casino } = await hooked();
      const path = `/operator/api-keys/${casino.keyId}`;
      await service.operator('PATCH', path, { status: 'inactive' });
      for (let count = 0; count < 12; count += 1) expect((await call(casino)).status).toBe(401);
      await service.operator('PATCH', path, { status: 'active' });
      expect(remaining(await call(casino))).toBe('9');
    });
  });
};
