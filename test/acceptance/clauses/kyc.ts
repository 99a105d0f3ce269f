import { describe, expect, it } from '@jest/globals';
import {
  as,
  type Casino,
  casinoOf,
  done,
  newCasino,
  newEntity,
  newKey,
  type Player,
  type Service,
  setPlayer,
  unique,
  uniquePhone,
  verdict,
  withoutKyc,
} from '../harness/index.ts';

type Message = {
  readonly kind: string;
  readonly to: string;
  readonly text: string;
  readonly link: string | null;
  readonly at: string;
};

export const kyc = (service: Service): void => {
  const stranger = (): Player => ({ gambler_ref: unique('stranger'), phone: uniquePhone() });
  const sent = async (query: Record<string, string>) =>
    as<{ messages: readonly Message[] }>(
      done(await service.operator('GET', `/operator/messages?${new URLSearchParams(query)}`)),
    ).messages;
  const smsTo = async (phone: string) => (await sent({ phone })).filter(({ kind }) => kind === 'sms');
  /** `status` of the body, and not of HTTP. */
  const ask = async (casino: Casino, player: Player) => {
    const answer = await casino.create(casino.order(player));
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const put = (casino: Casino, player: Player, state: string) =>
    setPlayer(service, { entity_id: casino.entityId, ...player, kyc: state });
  const required = { status: 'kyc_required', message: expect.stringMatching(/link/i) };

  describe('a player nobody knows', () => {
    it('is sent a link, and no deposit is made', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      expect(await ask(casino, player)).toEqual(required);
      expect(await smsTo(player.phone)).toEqual(
        [
          {
            kind: 'sms',
            to: player.phone,
            text: expect.stringMatching(/./),
            link: expect.stringMatching(/^https?:\/\//),
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          },
        ].map(expect.objectContaining),
      );
      expect(await casino.deposits()).toEqual({ deposits: [], total: 0 });
    });

    it('is found by gambler_ref among the messages too', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      expect(await sent({ gambler_ref: player.gambler_ref })).toEqual(await sent({ phone: player.phone }));
      expect(await sent({ gambler_ref: unique('nobody') })).toEqual([]);
    });

    it('is sent no second link within 60 seconds, and none twice for two calls at once', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      const answers = await Promise.all([ask(casino, player), ask(casino, player), ask(casino, player)]);
      expect(answers).toEqual([required, required, required]);
      expect(await ask(casino, player)).toEqual(required);
      expect(await smsTo(player.phone)).toHaveLength(1);
    });
  });

  describe('a player who sent documents', () => {
    it('waits, without another link', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      await put(casino, player, 'pending');
      expect(await ask(casino, player)).toEqual({
        status: 'kyc_pending',
        message: expect.stringMatching(/pending/i),
      });
      expect(await smsTo(player.phone)).toHaveLength(1);
      expect((await casino.deposits()).total).toBe(0);
    });

    it('is verified, and pays', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      await put(casino, player, 'verified');
      expect(await ask(casino, player)).toMatchObject({ status: 'ok' });
    });

    it('is rejected, and is sent a new link at once', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      await put(casino, player, 'pending');
      await put(casino, player, 'rejected');
      expect(await ask(casino, player)).toEqual(required);
      const links = (await smsTo(player.phone)).map(({ link }) => link);
      expect(new Set(links).size).toBe(2);
    });

    it('is none again when an operator says so', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      expect(await ask(casino, player)).toMatchObject({ status: 'ok' });
      await put(casino, player, 'none');
      expect(await ask(casino, player)).toEqual(required);
    });
  });

  describe('KYC is kept', () => {
    /** Two casinos of one affiliate. */
    const neighbours = async (): Promise<[Casino, Casino]> => {
      const one = await newCasino(service);
      const entity = await newEntity(service, one.affiliateId);
      const made = await newKey(service, one.affiliateId);
      return [one, casinoOf(service, one.affiliateId, entity, made)];
    };

    it('per casino', async () => {
      const [one, other] = await neighbours();
      const player = await one.player();
      expect(await ask(one, player)).toMatchObject({ status: 'ok' });
      expect(await ask(other, { ...player, phone: uniquePhone() })).toEqual(required);
    });

    it('per gambler_ref', async () => {
      const [one] = await neighbours();
      await one.player();
      expect(await ask(one, stranger())).toEqual(required);
    });

    it('and a phone of a verified identity gets a link that confirms it, in another casino of the affiliate', async () => {
      const [one, other] = await neighbours();
      const { phone } = await one.player();
      const again = { gambler_ref: unique('again'), phone };
      expect(await ask(other, again)).toEqual({
        status: 'kyc_required',
        message: expect.stringMatching(/existing account/i),
      });
      expect(await smsTo(phone)).toHaveLength(1);
      await put(other, again, 'verified');
      expect(await ask(other, again)).toMatchObject({ status: 'ok' });
    });

    it('within an affiliate: another knows nothing of that phone', async () => {
      const { phone } = await (await newCasino(service)).player();
      const answer = await ask(await newCasino(service), { gambler_ref: unique('again'), phone });
      expect(answer).toEqual(required);
      expect(answer.message).not.toMatch(/existing account/i);
    });
  });

  describe('a link', () => {
    /** What a player does: opens the page, and presses its button. */
    const open = (link: string, method = 'GET') =>
      service.call(method, new URL(link).pathname, { headers: { Accept: 'text/html' } });
    const linkTo = async (phone: string) => (await smsTo(phone))[0]?.link ?? 'http://no.link/';

    it('that is only looked at verifies nobody', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      const { status, text } = await open(await linkTo(player.phone));
      expect([status, text]).toEqual([200, expect.stringMatching(/<form method="post"/i)]);
      expect(await ask(casino, player)).toEqual(required);
    });

    it('leads to the verification, and works once', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      const link = await linkTo(player.phone);
      expect((await open(link, 'POST')).status).toBe(200);
      const again = await open(link, 'POST');
      expect(again.status >= 400 && again.status < 500).toBe(true);
      expect(['kyc_pending', 'ok']).toContain((await ask(casino, player)).status);
    });

    it('to an existing account verifies the pair at once', async () => {
      const casino = await newCasino(service);
      const { phone } = await casino.player();
      const again = { gambler_ref: unique('again'), phone };
      await ask(casino, again);
      await open(await linkTo(phone), 'POST');
      expect(await ask(casino, again)).toMatchObject({ status: 'ok' });
    });

    it('says in whose name it comes, and what it means', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      const entity = done(await service.operator('GET', `/operator/entities/${casino.entityId}`));
      await ask(casino, player);
      const [message] = await smsTo(player.phone);
      expect(message?.text).toContain(String(entity.name));
      expect((await open(message?.link ?? '')).text).toContain(String(entity.name));
    });

    it('can be answered with "this is not me": the verification is refused, and the phone is left alone', async () => {
      const casino = await newCasino(service);
      const player = stranger();
      await ask(casino, player);
      const link = await linkTo(player.phone);
      const page = await open(link);
      const form = /<form method="post" action="([^"]+)">/.exec(page.text)?.[1] ?? '';
      const denied = new URL(form, link);
      const said = await service.call('POST', denied.pathname + denied.search, { headers: { Accept: 'text/html' } });
      expect([said.status, said.text]).toEqual([200, expect.stringMatching(/refused/)]);
      const again = await open(link, 'POST');
      expect(again.status).toBe(410);
      for (const gambler_ref of [player.gambler_ref, unique('another')])
        expect(await ask(casino, { gambler_ref, phone: player.phone })).toEqual(required);
      expect(await smsTo(player.phone)).toHaveLength(1);
      const { audit_trail } = as<{ audit_trail: readonly object[] }>(
        done(await service.operator('GET', '/operator/audit-trail?subject=player&limit=500')),
      );
      const subject_id = `${casino.entityId}/${player.gambler_ref}`;
      expect(audit_trail).toContainEqual(
        expect.objectContaining({ subject_id, after: { kyc: 'rejected', phone_disowned: true } }),
      );
    });

    it('that nobody was sent is refused', async () => {
      const { status } = await open(`${service.access().url}/kyc/${unique('guess')}`, 'POST');
      expect(status >= 400 && status < 500).toBe(true);
    });
  });

  describe('while players cannot be checked', () => {
    it('nobody gets a deposit, nor a link, and afterwards all is as before', async () => {
      const casino = await newCasino(service);
      const [known, player] = [await casino.player(), stranger()];
      await withoutKyc(service, async () => {
        for (const who of [known, player]) {
          expect(verdict(await casino.create(casino.order(who)))).toEqual({
            status: 503,
            detail: 'Identity verification service unavailable',
          });
        }
      });
      expect(await smsTo(player.phone)).toEqual([]);
      expect(await ask(casino, known)).toMatchObject({ status: 'ok' });
      expect(await ask(casino, player)).toEqual(required);
    });
  });

  describe('phone and email', () => {
    it('never enter the event log', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const email = `${unique('mail')}@example.com`;
      const { id } = await (await casino.deposit({ email }, player)).settle();
      const { text } = await service.operator('GET', `/operator/deposits/${id}/events`);
      expect(text).toContain(player.gambler_ref);
      expect(text).not.toContain(player.phone);
      expect(text).not.toContain(player.phone.slice(1));
      expect(text).not.toContain(email);
    });
  });
};
