import { describe, expect, it } from '@jest/globals';
import {
  as,
  atConsole,
  type Body,
  done,
  engineOf,
  eventually,
  issuesOf,
  newCasino,
  newLegacyPartner,
  ofConsole,
  type Person,
  pinLegacyRates,
  type Service,
  transactionId,
  unique,
} from '../harness/index.ts';

/** With FOUR_EYES what is dangerous in the console wants a second person. */
export const fourEyes = (service: Service): void => {
  const { person, sendBecause, send, heldAs, approve } = atConsole(service);
  const newToken = (by: Person, name: string) => send(by, '/operator/tokens', { role: 'auditor', name });
  const tokensNamed = async (name: string): Promise<number> => {
    const { audit_trail } = done(
      await service.operator('GET', '/operator/audit-trail?subject=operator_token&action=created'),
    );
    return (audit_trail as readonly { after: { name: string } }[]).filter(({ after }) => after.name === name).length;
  };

  describe('a dangerous act', () => {
    it('waits for a second person, is shown to him without secrets, and is done once', async () => {
      const [first, second, name] = [await person('admin'), await person('admin'), unique('held')];
      const id = heldAs(await newToken(first, name));
      expect(heldAs(await newToken(first, name))).toBe(id);
      expect(await tokensNamed(name)).toBe(0);
      const shown = done(await service.operator('GET', `/operator/approvals/${id}`));
      expect(shown).toMatchObject({
        ...{ token_id: first.id, operation: 'createToken', reason: 'papers shown', state: 'asked' },
        about: { path: '/operator/tokens', body: { role: 'auditor', name } },
      });
      const waiting = done(await service.operator('GET', '/operator/inbox')).waiting as readonly Body[];
      expect(waiting.map(({ kind }) => kind)).toContain('approval');
      expect(await approve(first, id)).toMatchObject({ status: 403, body: { code: 'approval_own' } });
      expect(await approve(second, id)).toMatchObject({
        status: 200,
        body: { state: 'approved', decided_by: second.id },
      });
      expect(await newToken(first, name)).toMatchObject({ status: 201, body: { name } });
      expect(heldAs(await newToken(first, name))).not.toBe(id);
      expect(await tokensNamed(name)).toBe(1);
      const trail = done(
        await service.operator('GET', `/operator/audit-trail?subject=operation&actor=operator token ${first.id}`),
      ).audit_trail as readonly Body[];
      expect(trail[0]?.after).toMatchObject({ reason: 'papers shown', approval: id, approved_by: second.id });
    });

    it('is neither held nor on record where what is sent is no body of it', async () => {
      const first = await person('admin');
      for (const [path, body, field] of [
        ['/operator/tokens', { role: 'emperor', name: 'x' }, 'role'],
        ['/operator/addresses', {}, 'currency'],
      ] as const) {
        const answer = await send(first, path, body);
        expect([answer.status, issuesOf(answer)[0]]).toMatchObject([400, { path: [field] }]);
      }
      const headers = { Cookie: first.cookie, ...ofConsole, 'X-Cointill-Reason': 'papers%20shown' };
      expect((await service.call('POST', '/operator/tokens', { headers })).status).toBe(400);
      const trail = done(await service.operator('GET', `/operator/audit-trail?actor=operator token ${first.id}`));
      expect(trail).toMatchObject({ audit_trail: [] });
    });

    it('waits for the same approval where a browser that lost the answer sends the very same again', async () => {
      const [first, name] = [await person('admin'), unique('lost')];
      const attempt = { 'X-Cointill-Reason': 'new', 'X-Cointill-Attempt': unique('attempt-of-one-click') };
      const click = () =>
        service.call('POST', '/operator/tokens', {
          headers: { Cookie: first.cookie, ...ofConsole, ...attempt },
          json: { role: 'auditor', name },
        });
      const id = heldAs(await click());
      expect(heldAs(await click())).toBe(id);
      expect(await tokensNamed(name)).toBe(0);
    });

    it('is done once, however many approve it and however often it is sent at once', async () => {
      const first = await person('admin');
      const [name, others] = [unique('raced'), await Promise.all([person('admin'), person('admin'), person('admin')])];
      const id = heldAs(await newToken(first, name));
      const answers = await Promise.all(others.map((other) => approve(other, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const sent = await Promise.all([1, 2, 3].map(() => newToken(first, name)));
      expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(await tokensNamed(name)).toBe(1);
    });

    it('is approved as it was asked for, by whoever may do it himself, and not once it was refused', async () => {
      const [first, second, ops] = [await person('admin'), await person('admin'), await person('ops')];
      const [name, other] = [unique('as asked'), unique('as asked')];
      const id = heldAs(await newToken(first, name));
      expect((await approve(ops, id)).status).toBe(403);
      expect((await approve(await person('auditor'), id)).status).toBe(403);
      expect((await approve(second, id)).status).toBe(200);
      expect(heldAs(await newToken(first, other))).not.toBe(id);
      expect(heldAs(await newToken(second, name))).not.toBe(id);
      const again = heldAs(await newToken(first, other));
      expect((await send(first, `/operator/approvals/${again}/refuse`)).status).toBe(200);
      expect(await approve(second, again)).toMatchObject({ status: 409, body: { code: 'approval_over' } });
      expect(heldAs(await newToken(first, other))).not.toBe(again);
      expect((await approve(second, 999_999_999)).status).toBe(404);
    });

    it('is refused by whoever may let it through, also once somebody has, and by nobody where it is about himself', async () => {
      const [first, second, ops, name] = [
        ...[await person('admin'), await person('admin'), await person('ops')],
        unique('refused'),
      ] as const;
      const refuse = (by: Person, id: number) => send(by, `/operator/approvals/${id}/refuse`);
      const refused = { status: 200, body: { state: 'refused' } };
      const id = heldAs(await newToken(first, name));
      expect((await refuse(ops, id)).status).toBe(403);
      expect((await approve(second, id)).status).toBe(200);
      expect((await refuse(ops, id)).status).toBe(403);
      expect(await refuse(second, id)).toMatchObject(refused);
      expect(await refuse(second, id)).toMatchObject({ status: 409, body: { code: 'approval_over' } });
      const again = heldAs(await newToken(first, name));
      expect(again).not.toBe(id);
      expect((await approve(second, again)).status).toBe(200);
      expect(await refuse(first, again)).toMatchObject(refused);
      expect(await tokensNamed(name)).toBe(0);
      const revoke = () => send(first, `/operator/tokens/${second.id}`, { status: 'revoked' }, 'PATCH');
      const his = heldAs(await revoke());
      expect(await refuse(second, his)).toMatchObject({ status: 403, body: { code: 'approval_about_you' } });
      expect(await refuse(await person('admin'), his)).toMatchObject(refused);
      const done = heldAs(await newToken(first, name));
      expect((await approve(second, done)).status).toBe(200);
      expect((await newToken(first, name)).status).toBe(201);
      expect(await refuse(second, done)).toMatchObject({ status: 409, body: { code: 'approval_over' } });
    });

    it('is shown and kept by the fields that its route has, and by the beginning of what is long', async () => {
      const [first, second] = [await person('admin'), await person('admin')];
      const body = { role: 'auditor', name: unique('padded') };
      const make = (padding: string) => send(first, '/operator/tokens', { ...body, padding });
      const id = heldAs(await make('x'.repeat(900_000)));
      expect((await approve(second, id)).status).toBe(200);
      expect(heldAs(await make('y'))).not.toBe(id);
      const about = async (approval: number) =>
        done(await service.operator('GET', `/operator/approvals/${approval}`)).about as { readonly body: Body | null };
      expect((await about(id)).body).toEqual(body);
      const signals = Array.from({ length: 500 }, () => ({ signal_id: unique('s'), padding: 'x'.repeat(1_500) }));
      const long = heldAs(await send(first, '/engine/signals', { signals }));
      expect(JSON.stringify(await about(long)).length).toBeLessThan(70_000);
      const trail = done(await service.operator('GET', `/operator/audit-trail?actor=operator token ${first.id}`));
      expect(JSON.stringify(trail).length).toBeLessThan(200_000);
    });

    it('names the roles that may let it through, whichever process serves it', async () => {
      const [admin, ops, casino] = [await person('admin'), await person('ops'), await newCasino(service)];
      const deposit = await (await casino.deposit()).settle();
      done(await deposit.return());
      await deposit.kyt('failed', 35);
      const release = `/operator/deposits/${deposit.id}/release-return`;
      const seen = { signal_id: unique('s'), type: 'quote.expired', deposit_id: deposit.id, at: deposit.at(40) };
      for (const [by, path, json, roles] of [
        [admin, '/operator/tokens', { role: 'auditor', name: unique('roles') }, ['admin']],
        [admin, '/engine/signals', { signals: [seen] }, ['engine', 'admin']],
        [admin, release, {}, ['admin']],
        [ops, release, {}, ['admin', 'ops']],
      ] as const) {
        const id = heldAs(await send(by, path, json));
        expect(done(await service.operator('GET', `/operator/approvals/${id}`)).roles).toEqual(roles);
      }
    });

    it('is not let through by who was revoked since: it is asked for anew, and another may approve it', async () => {
      const [first, second, third] = [await person('admin'), await person('admin'), await person('admin')];
      const name = unique('revoked since');
      const id = heldAs(await newToken(first, name));
      expect((await approve(second, id)).status).toBe(200);
      done(await service.operator('PATCH', `/operator/tokens/${second.id}`, { status: 'revoked' }));
      const again = heldAs(await newToken(first, name));
      expect(again).not.toBe(id);
      expect(done(await service.operator('GET', `/operator/approvals/${id}`)).state).toBe('expired');
      expect((await approve(third, again)).status).toBe(200);
      expect((await newToken(first, name)).status).toBe(201);
    });

    it('is not let through by whose token is over since', async () => {
      const [first, third] = [await person('admin'), await person('admin')];
      const second = await person('admin', { expires_at: new Date(Date.now() + 8_000).toISOString() });
      const name = unique('over since');
      const id = heldAs(await newToken(first, name));
      expect((await approve(second, id)).status).toBe(200);
      await eventually(
        async () => done(await service.operator('GET', `/operator/approvals/${id}`)).state,
        (state) => state === 'expired',
      );
      const again = heldAs(await newToken(first, name));
      expect(again).not.toBe(id);
      expect((await approve(third, again)).status).toBe(200);
      expect((await newToken(first, name)).status).toBe(201);
    });

    it('is on record with the reason that was approved, whatever is said when it is done', async () => {
      const [first, second, name] = [await person('admin'), await person('admin'), unique('reasoned')];
      const body = { role: 'auditor', name };
      const id = heldAs(await sendBecause('for the yearly audit', first, '/operator/tokens', body));
      expect((await approve(second, id)).status).toBe(200);
      done(await sendBecause('no reason at all', first, '/operator/tokens', body));
      const trail = done(
        await service.operator('GET', `/operator/audit-trail?subject=operation&actor=operator token ${first.id}`),
      ).audit_trail as readonly Body[];
      expect(trail[0]?.after).toMatchObject({ reason: 'for the yearly audit', approval: id, approved_by: second.id });
    });

    it('is refused where what is sent cannot be kept, and its reason is cut between characters', async () => {
      const [first, name] = [await person('admin'), unique('kept')];
      for (const wrong of ['a\0b', 'a\ud800b']) {
        const answer = await newToken(first, wrong);
        expect([answer.status, issuesOf(answer)]).toMatchObject([400, [{ path: ['name'] }]]);
      }
      const body = { role: 'auditor', name };
      expect(await sendBecause('for\0nothing', first, '/operator/tokens', body)).toMatchObject({
        ...{ status: 403, body: { code: 'session_reason_needed' } },
      });
      const id = heldAs(await sendBecause(`${'x'.repeat(499)}😀`, first, '/operator/tokens', body));
      expect(done(await service.operator('GET', `/operator/approvals/${id}`)).reason).toBe('x'.repeat(499));
    });

    it('is neither held nor on record where nobody can read what is sent', async () => {
      const first = await person('admin');
      const headers = { Cookie: first.cookie, ...ofConsole, 'X-Cointill-Reason': 'papers%20shown' };
      const rate = (more: object, text: string) =>
        service.call('PUT', '/operator/rates/BCH', { headers: { ...headers, ...more }, text });
      expect(await rate({}, '{"usd":"1"}')).toMatchObject({ status: 415, body: { code: 'content_type_unsupported' } });
      const cut = await rate({ 'Content-Type': 'application/json' }, '{"usd":"1"');
      expect(cut).toMatchObject({ status: 400, body: { code: 'json_malformed' } });
      const trail = done(await service.operator('GET', `/operator/audit-trail?actor=operator token ${first.id}`));
      expect(trail).toMatchObject({ audit_trail: [] });
    });

    it('that only an admin may do in full is approved by an admin, and by ops where ops asked', async () => {
      const [first, second, ops, others] = [
        await person('admin'),
        await person('admin'),
        await person('ops'),
        await person('ops'),
      ];
      const deposit = await (await (await newCasino(service)).deposit()).settle();
      done(await deposit.return());
      await deposit.kyt('failed', 35);
      for (const [path, json, method] of [
        ['/operator/rates/MARS', { usd: '0.0001' }, 'PUT'],
        [`/operator/deposits/${deposit.id}/release-return`, {}, 'POST'],
      ] as const) {
        const id = heldAs(await send(first, path, json, method));
        expect((await approve(ops, id)).status).toBe(403);
        expect((await approve(second, id)).status).toBe(200);
        expect((await approve(others, heldAs(await send(ops, path, json, method)))).status).toBe(200);
      }
    });

    it('is a switch to the rows of the rebuild that was looked at, and of none that was made since', async () => {
      const [first, second, path] = [await person('ops'), await person('ops'), '/operator/projections/receipts'];
      type Shown = { readonly state: string; readonly rebuild: { held: boolean; requested_at: string } | null };
      const until = (holds: (shown: Shown) => boolean) =>
        eventually(async () => as<Shown>(done(await service.operator('GET', path))), holds);
      const rebuildHeld = async () => {
        done(await service.operator('POST', `${path}/rebuild`, { mode: 'hold' }));
        return (await until(({ rebuild }) => rebuild?.held === true)).rebuild?.requested_at;
      };
      const looked = await rebuildHeld();
      const id = heldAs(await send(first, `${path}/switch`));
      expect(done(await service.operator('GET', `/operator/approvals/${id}`)).about).toMatchObject({
        rebuild: { requested_at: looked },
      });
      expect((await approve(second, id)).status).toBe(200);
      done(await service.operator('DELETE', `${path}/rebuild`));
      await until(({ state }) => state === 'live');
      expect(await send(first, `${path}/switch`)).toMatchObject({ status: 409, body: { code: 'rebuild_not_held' } });
      expect(await rebuildHeld()).not.toBe(looked);
      const again = heldAs(await send(first, `${path}/switch`));
      expect(again).not.toBe(id);
      expect((await approve(second, again)).status).toBe(200);
      expect(done(await send(first, `${path}/switch`))).toMatchObject({ state: 'switching' });
      await until(({ state }) => state === 'live');
    });

    it('settles an older transaction for what was there when it was asked for, and for nothing else', async () => {
      const [first, second] = [await person('ops'), await person('ops')];
      await pinLegacyRates(service);
      const [id, gone] = [await (await newLegacyPartner(service)).create(), transactionId()];
      const engine = engineOf(service, id);
      await engine.seen('0.1');
      await engine.confirmed();
      await engine.seen('0.14', { txid: gone });
      await engine.confirmed({ txid: gone });
      const settle = () => send(first, `/operator/transactions/${id}/settle`, { note: 'close enough' });
      const looked = heldAs(await settle());
      expect(done(await service.operator('GET', `/operator/approvals/${looked}`)).about).toMatchObject({
        transaction: { confirmed_crypto: 0.24 },
      });
      expect((await approve(second, looked)).status).toBe(200);
      await engine.report('payment.reorged', { txid: gone });
      const again = heldAs(await settle());
      expect(again).not.toBe(looked);
      expect((await approve(second, again)).status).toBe(200);
      expect(done(await settle())).toMatchObject({ status: 'Succeeded' });
    });

    it('is whatever turns money elsewhere, by which route ever', async () => {
      const [admin, casino] = [await person('admin'), await newCasino(service)];
      const deposit = await casino.deposit();
      const path = `/operator/entities/${casino.entityId}`;
      const seen = {
        type: 'payment.seen',
        deposit_id: deposit.id,
        at: new Date().toISOString(),
        txid: 'f0',
        amount: '1',
      };
      heldAs(await send(admin, '/engine/signals', { signals: [{ signal_id: unique('s'), ...seen }] }));
      heldAs(
        await send(admin, '/operator/addresses', {
          currency: 'ETH',
          addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
        }),
      );
      await pinLegacyRates(service);
      const transaction = await (await newLegacyPartner(service)).create();
      const settle = () => send(admin, `/operator/transactions/${transaction}/settle`, {});
      const tooEarly = { status: 409, body: { code: 'not_to_settle' } };
      expect(await settle()).toMatchObject(tooEarly);
      const engine = engineOf(service, transaction);
      await engine.seen('0.1');
      expect(await settle()).toMatchObject(tooEarly);
      await engine.confirmed();
      heldAs(await settle());
      expect((await send(admin, '/operator/transactions/999999999/settle', {})).status).toBe(404);
      for (const change of [
        { webhook: { url: 'https://attacker.example/', secret: 'known to the attacker' } },
        { fees: [] },
        { mode: 'test' },
        { status: 'enabled', instant_caps: { first_usd: 50_000 } },
      ])
        heldAs(await send(admin, path, change, 'PATCH'));
      expect(done(await send(admin, path, { status: 'disabled', name: 'Still harmless' }, 'PATCH'))).toMatchObject({
        status: 'disabled',
        webhook: null,
      });
      expect((await casino.read(deposit.id)).status).toBe('Pending');
    });

    it('is held as well where another route does the same', async () => {
      const [admin, ops, casino] = [await person('admin'), await person('ops'), await newCasino(service)];
      const rate = '/operator/rates/BCH';
      done(await service.operator('PUT', rate, { usd: '400' }));
      heldAs(await send(ops, rate, {}, 'DELETE'));
      const { rates } = done(await service.operator('GET', '/operator/rates'));
      expect(rates).toContainEqual({ ticker: 'BCH', pinned: true, usd: '400', current: '400' });
      done(await service.operator('DELETE', rate));
      const rebuild = '/operator/projections/receipts/rebuild';
      for (const body of [{}, { mode: 'switch' }]) heldAs(await send(ops, rebuild, body));
      expect((await send(ops, '/operator/projections/none/rebuild', { mode: 'check' })).status).toBe(404);
      const made = { affiliate_id: casino.affiliateId, name: unique('Casino') };
      for (const more of [
        { webhook: { url: 'https://attacker.example/' } },
        { fees: [] },
        { no_conf_allowed: true },
        { instant_caps: { first_usd: 1_000_000 } },
      ])
        heldAs(await send(admin, '/operator/entities', { ...made, ...more }));
      expect((await send(admin, '/operator/entities', { ...made, mode: 'test' })).status).toBe(201);
    });

    it('is held for a session alone: with a token the interface is what it was, and what is harmless needs nobody', async () => {
      const [ops, deposit] = [await person('ops'), await (await (await newCasino(service)).deposit()).settle()];
      await deposit.kyt('review', 30);
      heldAs(await send(ops, `/operator/deposits/${deposit.id}/kyt-review`, { result: 'passed' }));
      const direct = await service.operator('POST', `/operator/deposits/${deposit.id}/kyt-review`, {
        result: 'passed',
      });
      expect(direct.body.code).not.toBe('approval_needed');
      const since = new Date(0).toISOString();
      const replay = await send(ops, '/operator/webhook-deliveries/replay', { entity_id: deposit.id + 1e9, since });
      expect(replay).toMatchObject({ status: 202, body: { replayed: 0 } });
    });
  });
};
