import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Casino, issuesOf, newCasino, type Service, validation, verdict } from '../harness/index.ts';

const many = 104;

export const list = (service: Service): void => {
  describe('the list of deposits', () => {
    let crowded: Casino;
    let newestFirst: number[];
    beforeAll(async () => {
      crowded = await newCasino(service);
      const player = await crowded.player();
      newestFirst = [];
      for (let made = 0; made < many; made += 1) newestFirst.unshift((await crowded.deposit({}, player)).id);
    }, 120_000);

    const page = async (query: string) => {
      const { deposits, total } = await crowded.deposits(query);
      return { ids: deposits.map(({ id }) => id), total };
    };

    it('is empty for a casino without any', async () => {
      expect(await (await newCasino(service)).deposits()).toEqual({ deposits: [], total: 0 });
    });

    it('is the newest 50 first, and counts them all', async () => {
      expect(await page('')).toEqual({ ids: newestFirst.slice(0, 50), total: many });
    });

    it.each([
      ['limit=1', 0, 1],
      ['limit=100', 0, 100],
      ['limit=101', 0, 100],
      ['limit=99999999999999999999', 0, 100],
      ['limit=0', 0, 50],
      ['limit=-1', 0, 50],
      ['limit=abc', 0, 50],
      ['limit=', 0, 50],
      ['limit=NaN', 0, 50],
      ['offset=10', 10, 60],
      ['limit=100&offset=100', 100, many],
      [`offset=${many}`, many, many],
      ['offset=99999999', many, many],
      ['offset=-5', 0, 50],
      ['offset=abc', 0, 50],
      ['offset=', 0, 50],
    ])('with %s goes from %i to %i', async (query, from, to) => {
      expect(await page(`&${query}`)).toEqual({ ids: newestFirst.slice(from, to), total: many });
    });

    it('is complete, page by page', async () => {
      const ids: number[] = [];
      for (let offset = 0; offset < many; offset += 30) ids.push(...(await page(`&limit=30&offset=${offset}`)).ids);
      expect(ids).toEqual(newestFirst);
    });

    it('filters by decision, and by currency, and by both', async () => {
      const casino = await newCasino(service);
      const accepted = await (await casino.deposit()).settle();
      await accepted.accept();
      const frozen = await (await casino.deposit({ currency: 'LTC' })).settle();
      await frozen.freeze();
      const returned = await (await casino.deposit({ currency: 'ETH' })).settle();
      await returned.return();
      const open = await casino.deposit({ currency: 'LTC' });
      const found = async (query: string) => {
        const { deposits, total } = await casino.deposits(query);
        expect(total).toBe(deposits.length);
        return deposits.map(({ id }) => id);
      };
      expect(await found('&decision=accepted')).toEqual([accepted.id]);
      expect(await found('&decision=frozen')).toEqual([frozen.id]);
      expect(await found('&decision=returned')).toEqual([returned.id]);
      expect(await found('&decision=pending')).toEqual([open.id]);
      expect(await found('&currency=LTC')).toEqual([open.id, frozen.id]);
      expect(await found('&currency=LTC&decision=pending')).toEqual([open.id]);
      expect(await found('&currency=BTC&decision=pending')).toEqual([]);
      expect(await casino.deposits('&currency=LTC&limit=1&offset=1')).toMatchObject({
        deposits: [{ id: frozen.id }],
        total: 2,
      });
    });

    it.each(['unknown', 'ACCEPTED', "' OR 1=1 --", '%00'])('is empty for a decision that is none: %s', async (word) => {
      const { deposits, total } = await crowded.deposits(
        `&decision=${word === '%00' ? word : encodeURIComponent(word)}`,
      );
      expect({ deposits, total }).toEqual({ deposits: [], total: 0 });
    });

    it.each(['DOGE', 'btc', 'DASH'])('is refused for a currency that is none: %s', async (currency) => {
      const answer = await crowded.list(`?entity_id=${crowded.entityId}&currency=${currency}`);
      expect(verdict(answer)).toEqual(validation);
      expect(issuesOf(answer)).toMatchObject([{ path: ['currency'] }]);
    });

    it('needs a casino', async () => {
      const answer = await crowded.list('');
      expect(verdict(answer)).toEqual(validation);
      expect(issuesOf(answer)).toMatchObject([{ path: ['entity_id'] }]);
      expect(verdict(await crowded.list('?entity_id='))).toEqual({ status: 400, detail: 'entity_id is required' });
    });

    it.each(['abc', '-1', '1.5', '1e3', '0x1', '+1', '%201'])('needs the digits of a casino: %s', async (id) => {
      expect(verdict(await crowded.list(`?entity_id=${id}`))).toEqual({ status: 400, detail: 'Invalid entity_id' });
    });

    it('does not find a casino of any number of digits', async () => {
      const detail = 'Entity not found for this affiliate';
      expect(verdict(await crowded.list(`?entity_id=${'9'.repeat(40)}`))).toEqual({ status: 404, detail });
      expect(verdict(await crowded.list('?entity_id=0'))).toEqual({ status: 404, detail });
    });

    it('keeps the order while deposits change', async () => {
      const casino = await newCasino(service);
      const [first, second] = [await casino.deposit(), await casino.deposit()];
      await first.settle();
      await first.accept();
      expect((await casino.deposits()).deposits.map(({ id }) => id)).toEqual([second.id, first.id]);
    });
  });
};
