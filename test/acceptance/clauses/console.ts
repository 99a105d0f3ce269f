import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { as, type Body, done, eventually, newCasino, type Service, unique } from '../harness/index.ts';

type Waiting = {
  readonly kind: string;
  readonly count: number;
  readonly oldest_at: string | null;
  readonly href: string;
};

const ofConsole = { 'Sec-Fetch-Site': 'same-origin', 'X-Cointill-Console': '1' };

/** What the operators' console is built on. */
export const operatorsConsole = (service: Service): void => {
  const inbox = async () =>
    as<{ waiting: readonly Waiting[] }>(done(await service.operator('GET', '/operator/inbox'))).waiting;
  const waitingFor = async (kind: string): Promise<number> =>
    (await inbox()).find((one) => one.kind === kind)?.count ?? 0;
  const becomes = async (kind: string, count: number) =>
    expect(
      await eventually(
        () => waitingFor(kind),
        (now) => now === count,
      ),
    ).toBe(count);
  const begin = (token: string, headers: Readonly<Record<string, string>> = ofConsole) =>
    service.call('POST', '/console/session', { headers, json: { token } });
  const newToken = async (role: string): Promise<{ id: number; token: string }> =>
    as(done(await service.operator('POST', '/operator/tokens', { role, name: unique('token') })));
  const cookieOf = async (token: string): Promise<string> => {
    const answer = await begin(token);
    done(answer);
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  describe('the inbox', () => {
    it('counts what waits for a human, until somebody has seen to it', async () => {
      const casino = await newCasino(service);
      const deposit = await casino.deposit();
      const [reviews, rejected] = [await waitingFor('kyt_review'), await waitingFor('signal_rejected')];
      await deposit.pay();
      await deposit.kyt('review');
      await deposit.signal('payment.dropped', 3, { txid: 'unknown' });
      await becomes('kyt_review', reviews + 1);
      await becomes('signal_rejected', rejected + 1);
      const [review] = (await inbox()).filter(({ kind }) => kind === 'kyt_review');
      expect(review).toMatchObject({ oldest_at: expect.any(String), severity: 'warning', capped: false });
      const listed = done(await service.operator('GET', review?.href ?? ''));
      expect((listed.deposits as readonly Body[]).map(({ id }) => id)).toContain(deposit.id);
      done(await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, { result: 'passed' }));
      await becomes('kyt_review', reviews);
    });

    it('leads to what it counts alone, and to nothing that is seen to', async () => {
      const casino = await newCasino(service);
      const listed = async (kind: string): Promise<readonly unknown[]> => {
        const href = (await inbox()).find((one) => one.kind === kind)?.href;
        if (href === undefined) return [];
        const list = done(await service.operator('GET', `${href}&limit=100`));
        return ((list.deposits ?? list.signals) as readonly Body[]).map(({ id, deposit_id }) => id ?? deposit_id);
      };
      const until = (kind: string, id: number) =>
        eventually(
          () => listed(kind),
          (ids) => ids.includes(id),
        );
      const [review, decided] = [await casino.deposit(), await (await casino.deposit()).settle()];
      done(await decided.return());
      await decided.kyt('review', 20);
      await review.pay();
      await review.kyt('review');
      expect(await until('kyt_review', review.id)).toContain(review.id);
      expect(await listed('kyt_review')).not.toContain(decided.id);
      const credited = await (await casino.deposit()).settle();
      done(await credited.accept());
      await credited.kyt('review', 20);
      expect(await until('kyt_review', credited.id)).toContain(credited.id);
      const [lost, kept] = [await (await casino.deposit()).settle(), await (await casino.deposit()).settle()];
      for (const one of [lost, kept]) done(await one.accept());
      await lost.reorg();
      expect(await until('lost_after_accept', lost.id)).toContain(lost.id);
      expect(await listed('lost_after_accept')).not.toContain(kept.id);
      const frozen = await casino.deposit();
      await frozen.pay();
      await frozen.ofac('hit');
      await kept.ofac('hit', 20);
      expect(await until('ofac_hit', frozen.id)).toContain(frozen.id);
      expect(await listed('ofac_hit')).not.toContain(kept.id);
      await frozen.signal('payment.dropped', 21, { txid: 'unknown' });
      expect(await until('signal_rejected', frozen.id)).toContain(frozen.id);
      const rejected = '/operator/signals?outcome=rejected';
      for (const days of ['0', '999999999999999'])
        expect([
          days,
          (done(await service.operator('GET', `${rejected}&days=${days}`)).signals as []).length > 0,
        ]).toEqual([days, days !== '0']);
    });

    it('tells of a rate that is pinned as unavailable', async () => {
      const before = await waitingFor('rate_unavailable');
      done(await service.operator('PUT', '/operator/rates/MARS', { usd: null }));
      await becomes('rate_unavailable', before + 1);
      done(await service.operator('DELETE', '/operator/rates/MARS'));
      await becomes('rate_unavailable', before);
    });
  });

  describe('the search', () => {
    const found = async (q: string) =>
      as<{ found: readonly Body[] }>(done(await service.operator('GET', `/operator/search?q=${encodeURIComponent(q)}`)))
        .found;

    it('finds a deposit by whatever of it is known', async () => {
      const casino = await newCasino(service);
      const deposit = await casino.deposit({}, await casino.player());
      const txid = `Tx${unique('paid')}`;
      await deposit.pay({ txid });
      const { wallet, gambler_ref, transaction_id, entity_id } = as<Body>(await deposit.read());
      const signals = done(await service.operator('GET', `/operator/signals?deposit_id=${deposit.id}`)).signals;
      const signal = String((signals as readonly Body[])[0]?.signal_id);
      const href = `/operator/deposits/${deposit.id}`;
      const itself = (by: string) => ({ kind: 'deposit', id: String(deposit.id), by, href });
      expect(await found(String(deposit.id))).toContainEqual(itself('id'));
      expect(await found(` ${wallet} `)).toEqual([itself('address')]);
      expect(await found(txid.toUpperCase())).toEqual([itself('txid')]);
      expect(await found(signal)).toEqual([itself('signal_id')]);
      expect(await found(String(transaction_id))).toContainEqual(itself('transaction_id'));
      const itsCasino = { kind: 'casino', id: String(entity_id), by: 'id' };
      expect(await found(String(entity_id))).toContainEqual(expect.objectContaining(itsCasino));
      const [player, ...others] = await found(String(gambler_ref));
      expect([player?.kind, others]).toEqual(['player', []]);
      const listed = done(await service.operator('GET', String(player?.href)));
      expect((listed.deposits as readonly Body[]).map(({ id }) => id)).toEqual([deposit.id]);
      expect((await service.operator('GET', href)).status).toBe(200);
    });

    it('finds a transaction by each way in which it is told', async () => {
      const casino = await newCasino(service);
      const hash = () => createHash('sha256').update(unique('paid')).digest('hex');
      for (const [currency, before] of [
        ['BTC', ''],
        ['ETH', '0x'],
      ] as const) {
        const bare = hash();
        const deposit = await casino.deposit({ currency });
        await deposit.pay({ txid: before + bare, vout: 1 });
        for (const told of [
          ...[
            bare,
            `0x${bare}`,
            `0X${bare.toUpperCase()}`,
            `${before}${bare}:1`,
            `${bare.slice(0, 40)}\n${bare.slice(40)}`,
          ],
          ...[
            `https://explorer.example/block/${hash()}/tx/${bare}`,
            `https://explorer.example/en/tx/0x${bare}?tab=1#logs`,
          ],
        ])
          expect([told, await found(told)]).toEqual([
            told,
            [expect.objectContaining({ kind: 'deposit', id: String(deposit.id), by: 'txid' })],
          ]);
        for (const other of [`a${bare}`, bare.slice(1)]) expect(await found(other)).toEqual([]);
      }
    });

    it('finds nothing where there is nothing, and refuses to look for nothing', async () => {
      for (const q of ["' OR true --", '999999999999999', '%', 'a'.repeat(256)]) expect(await found(q)).toEqual([]);
      expect((await service.operator('GET', '/operator/search?q=')).status).toBe(400);
    });

    it('finds a batch by its id, and a refund by each transaction that it was sent with', async () => {
      const casino = await newCasino(service);
      const settled = await (await casino.deposit()).settle();
      await settled.accept();
      const batch = unique('batch');
      await settled.signal('settlement.included', 30, { batch_id: batch });
      const ofBatch = { kind: 'deposit', id: String(settled.id), by: 'batch_id' };
      expect(
        await eventually(
          () => found(batch),
          ({ length }) => length > 0,
        ),
      ).toEqual([expect.objectContaining(ofBatch)]);
      const returned = await (await casino.deposit()).settle();
      const { return_id } = as<{ return_id: number }>(done(await returned.return()));
      const txids = [unique('refund'), unique('refund')];
      for (const [nth, refund_txid] of txids.entries()) {
        await returned.signal('refund.broadcast', 31 + 2 * nth, { return_id, refund_txid });
        if (nth === 0) await returned.signal('refund.dropped', 32, { return_id, refund_txid });
      }
      const itself = { kind: 'deposit', id: String(returned.id), by: 'txid' };
      for (const txid of txids)
        expect(
          await eventually(
            () => found(txid),
            ({ length }) => length > 0,
          ),
        ).toEqual([expect.objectContaining(itself)]);
    });

    it('finds a webhook by its id', async () => {
      const hooked = await newCasino(service, { entity: { webhook: { url: 'http://127.0.0.1:9/hooks' } } });
      await (await hooked.deposit()).pay();
      const deliveries = async () =>
        done(await service.operator('GET', `/operator/webhook-deliveries?entity_id=${hooked.entityId}`))
          .deliveries as readonly Body[];
      const [delivery] = await eventually(deliveries, ({ length }) => length > 0);
      expect(await found(String(delivery?.webhook_id))).toEqual([
        {
          kind: 'delivery',
          id: String(delivery?.id),
          by: 'webhook_id',
          href: `/operator/webhook-deliveries/${delivery?.id}`,
        },
      ]);
    });
  });

  describe('the pulse', () => {
    it('is another once something has happened', async () => {
      const casino = await newCasino(service);
      const head = async () => done(await service.operator('GET', '/operator/pulse')).head;
      const before = await head();
      await casino.deposit();
      expect(await eventually(head, (now) => now !== before)).not.toBe(before);
    });
  });

  describe('who calls', () => {
    it.each([
      ['admin', ['createToken', 'releaseSettlement', 'pageDeposits'], []],
      ['ops', ['reviewKyt', 'pageDeposits'], ['createToken', 'releaseSettlement']],
      ['auditor', ['pageDeposits', 'listAuditTrail'], ['reviewKyt', 'listMessages', 'createToken']],
    ] as const)('is told what the role %s may call', async (role, may, mayNot) => {
      const { token } = await newToken(role);
      const me = as<{ role: string; can: readonly string[] }>(
        done(await service.operator('GET', '/operator/me', undefined, token)),
      );
      expect(me.role).toBe(role);
      expect(me.can).toEqual(expect.arrayContaining([...may]));
      expect(mayNot.filter((operation) => me.can.includes(operation))).toEqual([]);
    });
  });

  describe('a session', () => {
    it('is for the console alone: without its header, or from another origin, it is refused', async () => {
      const { token } = await newToken('ops');
      const cookie = await cookieOf(token);
      const me = (headers: Readonly<Record<string, string>>) =>
        service.call('GET', '/operator/me', { headers: { Cookie: cookie, ...headers } });
      expect((await me(ofConsole)).body).toMatchObject({ role: 'ops' });
      const refused = { status: 403, body: { code: 'session_foreign_request' } };
      expect(await me({})).toMatchObject(refused);
      expect(await me({ 'X-Cointill-Console': '1' })).toMatchObject(refused);
      expect(await me({ ...ofConsole, 'Sec-Fetch-Site': 'same-site' })).toMatchObject(refused);
      expect(await begin(token, {})).toMatchObject(refused);
    });

    it('does what is dangerous for a reason alone, and what is not without one', async () => {
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      await deposit.kyt('review', 30);
      const cookie = await cookieOf((await newToken('ops')).token);
      const send = (path: string, headers = {}) =>
        service.call('POST', path, {
          headers: { Cookie: cookie, ...ofConsole, ...headers },
          json: { result: 'passed' },
        });
      const path = `/operator/deposits/${deposit.id}/kyt-review`;
      expect(await send(path)).toMatchObject({ status: 403, body: { code: 'session_reason_needed' } });
      const because = { 'X-Cointill-Reason': 'papers%20shown' };
      expect(await send(path, because)).toMatchObject({ status: 200, body: { kyt_status: 'passed' } });
      expect(await send('/operator/webhook-deliveries/999999999/redeliver')).toMatchObject({ status: 404 });
    });

    it('does nothing by a page that somebody else was shown', async () => {
      const [first, second] = [await newToken('admin'), await newToken('ops')];
      const headers = { Cookie: await cookieOf(second.token), ...ofConsole };
      const me = (id: number) =>
        service.call('GET', '/operator/me', { headers: { ...headers, 'X-Cointill-Operator': String(id) } });
      expect(await me(first.id)).toMatchObject({ status: 409, body: { code: 'session_other_person' } });
      expect(await me(second.id)).toMatchObject({ status: 200, body: { id: second.id } });
    });

    it('does once what a browser sends twice', async () => {
      const headers = { Cookie: await cookieOf(service.access().operatorToken), ...ofConsole };
      const send = (attempt: string) =>
        service.call('POST', '/operator/tokens', {
          headers: { ...headers, 'X-Cointill-Reason': 'new', 'X-Cointill-Attempt': attempt },
          json: { role: 'auditor', name: attempt },
        });
      const [attempt, another] = [unique('attempt-of-one-click'), unique('attempt-of-another')];
      const answers = await Promise.all([send(attempt), send(attempt), send(attempt)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
      expect(await send(attempt)).toMatchObject({ status: 409, body: { code: 'attempt_sent_before' } });
      done(await send(another));
      const made = as<{ tokens: readonly Body[] }>(done(await service.operator('GET', '/operator/tokens'))).tokens;
      const named = (name: string) => made.filter((one) => one.name === name).length;
      expect([named(attempt), named(another)]).toEqual([1, 1]);
    });

    it('ends by a sign-out, and is confirmed by its own token alone', async () => {
      const [{ token }, other] = [await newToken('auditor'), await newToken('auditor')];
      const headers = { Cookie: await cookieOf(token), ...ofConsole };
      const confirm = (shown: string) =>
        service.call('POST', '/console/session/confirmation', { headers, json: { token: shown } });
      expect(await confirm(token)).toMatchObject({ status: 204 });
      expect(await confirm(other.token)).toMatchObject({ status: 403, body: { code: 'session_other_token' } });
      expect(await service.call('DELETE', '/console/session', { headers })).toMatchObject({ status: 204 });
      const me = () => service.call('GET', '/operator/me', { headers });
      expect(await eventually(me, ({ status }) => status === 401)).toMatchObject({ status: 401 });
    });

    it('is nothing for an engine', async () => {
      expect(await begin((await newToken('engine')).token)).toMatchObject({ status: 403 });
    });
  });
};
