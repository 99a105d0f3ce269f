import { describe, expect, it } from '@jest/globals';
import { atConsole, type Body, done, newCasino, type Service, transactionId } from '../harness/index.ts';

/** What is let through is what was looked at: not only the words that were sent, but what stood by them. */
export const fourEyesFindings = (service: Service): void => {
  const { person, send, heldAs, approve } = atConsole(service);

  describe('a decision on what was found', () => {
    it('is a release of what was looked at: what has come up since, or since it was approved, is not released', async () => {
      const [first, second, casino] = [await person('admin'), await person('admin'), await newCasino(service)];
      const accepted = await (await casino.deposit()).settle();
      done(await accepted.accept());
      await accepted.reorg();
      const returned = await (await casino.deposit()).settle();
      done(await returned.return());
      await returned.kyt('failed', 35);
      for (const [deposit, path, json, code] of [
        [accepted, `settlements/${accepted.id}/release`, { withheld: ['reorged'] }, 'settlement_withheld_for_more'],
        [returned, `deposits/${returned.id}/release-return`, { held_because: ['kyt_failed'] }, 'return_held_for_more'],
      ] as const) {
        const release = () => send(first, `/operator/${path}`, json);
        const id = heldAs(await release());
        expect(done(await service.operator('GET', `/operator/approvals/${id}`)).about).toMatchObject({ body: json });
        expect((await approve(second, id)).status).toBe(200);
        await deposit.ofac('hit', 40);
        expect(await release()).toMatchObject({ status: 409, body: { code } });
        const events = done(await service.operator('GET', `/operator/deposits/${deposit.id}/events`)).events;
        expect((events as readonly Body[]).at(-1)?.type).toBe('OfacCompleted');
      }
    });

    it('is a KYT review as it was looked at: a failure that came since is overruled once that is asked for', async () => {
      const [first, second, casino] = [await person('ops'), await person('ops'), await newCasino(service)];
      const inReview = async () => {
        const deposit = await (await casino.deposit()).settle();
        await deposit.kyt('review', 30);
        return deposit;
      };
      const pass = ({ id }: { id: number }, named: Body) =>
        send(first, `/operator/deposits/${id}/kyt-review`, { result: 'passed', ...named });
      const approved = async (deposit: { id: number }, named: Body) =>
        expect((await approve(second, heldAs(await pass(deposit, named)))).status).toBe(200);
      const passes = { status: 200, body: { kyt_status: 'passed' } };
      for (const named of [{}, { kyt_status: 'review' }]) {
        const [stands, fails] = [await inReview(), await inReview()];
        for (const deposit of [stands, fails]) await approved(deposit, named);
        expect(await pass(stands, named)).toMatchObject(passes);
        await fails.kyt('failed', 35);
        const code = 'kyt_status' in named ? 'kyt_stands_otherwise' : 'approval_needed';
        expect(await pass(fails, named)).toMatchObject({ status: 409, body: { code } });
        await approved(fails, { kyt_status: 'failed' });
        expect(await pass(fails, { kyt_status: 'failed' })).toMatchObject(passes);
      }
    });

    it('is a release of what it names, or else of what stood when it was asked for; nobody is asked for less', async () => {
      const [first, second, casino] = [await person('admin'), await person('admin'), await newCasino(service)];
      const deposit = await (await casino.deposit()).settle();
      done(await casino.call('POST', `/casino/deposit/${deposit.id}/accept`, {}));
      const release = (named: Body) => send(first, `/operator/settlements/${deposit.id}/release`, named);
      expect(await release({})).toMatchObject({ status: 409, body: { code: 'settlement_not_withheld' } });
      await deposit.kyt('failed', 30);
      const more = { status: 409, body: { code: 'settlement_withheld_for_more' } };
      expect(await release({ withheld: ['unconfirmed'] })).toMatchObject(more);
      const [bare, named] = [{ note: 'seen' }, { withheld: ['kyt_failed'] }];
      for (const body of [bare, named]) expect((await approve(second, heldAs(await release(body)))).status).toBe(200);
      await deposit.ofac('hit', 40);
      expect(await release(named)).toMatchObject(more);
      expect((await approve(second, heldAs(await release(bare)))).status).toBe(200);
      expect(await release(bare)).toMatchObject({ status: 200, body: { withheld: 'released' } });
    });

    it('is of what was looked at up to a revision, where that is named, with a token too', async () => {
      const [ops, deposit] = [await person('ops'), await (await (await newCasino(service)).deposit()).settle()];
      await deposit.kyt('review', 30, '30');
      const events = done(await service.operator('GET', `/operator/deposits/${deposit.id}/events`)).events as Body[];
      const json = { result: 'passed', kyt_status: 'review', seen_revision: events.at(-1)?.revision };
      const path = `/operator/deposits/${deposit.id}/kyt-review`;
      const id = heldAs(await send(ops, path, json));
      await deposit.kyt('review', 35, '95');
      const refused = { status: 409, body: { code: 'kyt_stands_otherwise' } };
      expect((await approve(await person('ops'), id)).status).toBe(200);
      expect(await send(ops, path, json)).toMatchObject(refused);
      expect(await service.operator('POST', path, json)).toMatchObject(refused);
      const seen = { ...json, seen_revision: Number(json.seen_revision) + 1 };
      expect(await service.operator('POST', path, seen)).toMatchObject({ status: 200, body: { kyt_status: 'passed' } });
    });

    it('is of the money that was looked at: what comes from another address meanwhile is asked for anew', async () => {
      const [first, second, casino] = [await person('ops'), await person('ops'), await newCasino(service)];
      const deposit = await casino.deposit();
      await deposit.pay({ amount: '0.00001', funding: ['of-dust'] });
      await deposit.kyt('review', 5, '0.4');
      const json = { result: 'passed', kyt_status: 'review' };
      const pass = (fields: Body = {}) =>
        send(first, `/operator/deposits/${deposit.id}/kyt-review`, { ...json, ...fields });
      const events = done(await service.operator('GET', `/operator/deposits/${deposit.id}/events`)).events as Body[];
      const looked = { seen_revision: events.at(-1)?.revision };
      const shownIn = async (id: number) => done(await service.operator('GET', `/operator/approvals/${id}`)).about;
      const ids = [heldAs(await pass()), heldAs(await pass(looked))];
      for (const id of ids) {
        const dust = { crypto_amount: '0.00001', funding_addresses: ['of-dust'] };
        expect(await shownIn(id)).toMatchObject({ kyt: dust });
        expect((await approve(second, id)).status).toBe(200);
      }
      await deposit.pay({ txid: transactionId(), amount: '5', minute: 6, funding: ['never-screened'] });
      expect(await pass(looked)).toMatchObject({ status: 409, body: { code: 'kyt_stands_otherwise' } });
      const anew = heldAs(await pass());
      expect(ids).not.toContain(anew);
      const all = { crypto_amount: '5.00001', funding_addresses: ['of-dust', 'never-screened'] };
      expect(await shownIn(anew)).toMatchObject({ kyt: all });
      expect((await approve(second, anew)).status).toBe(200);
      expect(await pass()).toMatchObject({ status: 200, body: { kyt_status: 'passed' } });
    });

    it('is of the finding that was looked at and not of its word: one that came up anew is asked for anew', async () => {
      const [first, second, casino] = [await person('admin'), await person('admin'), await newCasino(service)];
      const overrule = async ({ id }: { id: number }) =>
        done(await service.operator('POST', `/operator/deposits/${id}/kyt-review`, { result: 'passed' }));
      const settled = async () => (await casino.deposit()).settle();
      const accepted = async () => {
        const deposit = await settled();
        done(await deposit.accept());
        return deposit;
      };
      const [inReview, failed, returned] = [await settled(), await settled(), await settled()];
      const [reorged, batched, withheld] = [await accepted(), await accepted(), await accepted()];
      await inReview.kyt('review', 30, '30');
      await failed.kyt('failed', 30);
      done(await returned.return());
      for (const deposit of [returned, withheld]) await deposit.kyt('failed', 30);
      for (const deposit of [reorged, batched]) await deposit.reorg();
      const again = async (deposit: typeof returned) => {
        await overrule(deposit);
        await deposit.kyt('failed', 40);
      };
      const reorgAgain = async (deposit: typeof reorged) => {
        await deposit.confirm(undefined, 20);
        await deposit.reorg(undefined, 21);
      };
      const lost = `reorged:${reorged.txid}:0`;
      const cases = [
        {
          ...{ path: `deposits/${inReview.id}/kyt-review`, json: { result: 'passed', kyt_status: 'review' } },
          shown: { kyt: { kyt_status: 'review', kyt_risk_score: '30', kyt_checked_at: inReview.at(30) } },
          since: async () => void (await inReview.kyt('review', 35, '95')),
        },
        {
          ...{ path: `deposits/${failed.id}/kyt-review`, json: { result: 'passed', kyt_status: 'failed' } },
          ...{ shown: { kyt: { kyt_status: 'failed' } }, since: () => again(failed) },
        },
        {
          ...{ path: `deposits/${returned.id}/release-return`, json: { held_because: ['kyt_failed'] } },
          shown: { return: { held_because: [{ reason: 'kyt_failed' }], return_address: 'bc1q-somewhere' } },
          since: () => again(returned),
        },
        {
          ...{ path: `settlements/${withheld.id}/release`, json: { withheld: ['kyt_failed'] } },
          ...{ shown: { settlement: { withheld: [{ reason: 'kyt_failed' }] } }, since: () => again(withheld) },
        },
        {
          ...{ path: `settlements/${reorged.id}/release`, json: { withheld: [lost] } },
          shown: { settlement: { withheld: [{ reason: lost }], batch_id: null } },
          since: () => reorgAgain(reorged),
        },
        {
          ...{ path: `settlements/${batched.id}/release`, json: { withheld: ['reorged'] } },
          shown: { settlement: { batch_id: null } },
          since: async () => {
            await batched.confirm(undefined, 20);
            await batched.signal('settlement.included', 20, { batch_id: 'b1' });
            await batched.reorg(undefined, 21);
          },
        },
      ];
      for (const { path, json, shown, since } of cases) {
        const act = () => send(first, `/operator/${path}`, json);
        const id = heldAs(await act());
        expect(done(await service.operator('GET', `/operator/approvals/${id}`)).about).toMatchObject(shown);
        expect((await approve(second, id)).status).toBe(200);
        await since();
        const anew = heldAs(await act());
        expect(anew).not.toBe(id);
        expect((await approve(second, anew)).status).toBe(200);
        expect((await act()).status).toBe(200);
      }
    });
  });
};
