import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Body,
  type Casino,
  type DepositHandle,
  done,
  newCasino,
  newLegacyPartner,
  pinLegacyRates,
  type Service,
  transactionId,
  verdict,
} from '../harness/index.ts';

export const refunds = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  type Returned = DepositHandle & { readonly returnId: number };
  const returned = async (): Promise<Returned> => {
    const deposit = await (await casino.deposit()).settle();
    return { ...deposit, returnId: Number((await deposit.return()).body.return_id) };
  };
  const broadcast = ({ signal, returnId }: Returned, refund_txid: string, minute = 40) =>
    signal('refund.broadcast', minute, { return_id: returnId, refund_txid });
  const dropped = ({ signal, returnId }: Returned, refund_txid: string, minute = 45) =>
    signal('refund.dropped', minute, { return_id: returnId, refund_txid });
  const release = (deposit: DepositHandle) =>
    service.operator('POST', `/operator/deposits/${deposit.id}/release-return`);

  describe('the refund of a return', () => {
    it('makes the status Refund when it is broadcast', async () => {
      const deposit = await returned();
      expect(await broadcast(deposit, transactionId())).toBe('applied');
      expect(await deposit.read()).toMatchObject({ status: 'Refund', decision: 'returned', confirmed_crypto: 0.002 });
    });

    it('is broadcast once: the same is ignored, another is rejected', async () => {
      const deposit = await returned();
      const refund = transactionId();
      await broadcast(deposit, refund);
      expect(await broadcast(deposit, refund, 41)).toBe('ignored');
      expect(await broadcast(deposit, transactionId(), 42)).toBe('rejected');
    });

    it('that was dropped leaves the status, and another may be broadcast', async () => {
      const deposit = await returned();
      const refund = transactionId();
      await broadcast(deposit, refund);
      expect(await dropped(deposit, refund)).toBe('applied');
      expect((await deposit.read()).status).toBe('Refund');
      expect(await broadcast(deposit, transactionId(), 50)).toBe('applied');
      expect((await deposit.read()).status).toBe('Refund');
    });

    it('is rejected for a wrong return, and for a deposit that is not returned', async () => {
      const deposit = await returned();
      expect(await broadcast({ ...deposit, returnId: deposit.returnId + 1_000_000 }, transactionId())).toBe('rejected');
      const other = await (await casino.deposit()).settle();
      expect(await broadcast({ ...other, returnId: deposit.returnId }, transactionId())).toBe('rejected');
      expect(await dropped(deposit, transactionId())).toBe('rejected');
      expect((await deposit.read()).status).toBe('Confirmed');
    });

    it.each(['hit', 'failed'])(
      'is held by an alarm between return and broadcast, until released: %s',
      async (alarm) => {
        const deposit = await returned();
        await (alarm === 'hit' ? deposit.ofac('hit', 35) : deposit.kyt('failed', 35));
        expect(await broadcast(deposit, transactionId())).toBe('rejected');
        const released = await release(deposit);
        expect([released.status, released.body]).toMatchObject([200, { id: deposit.id, decision: 'returned' }]);
        expect(await broadcast(deposit, transactionId(), 41)).toBe('applied');
        expect((await deposit.read()).status).toBe('Refund');
      },
    );

    it('is held for no reason without an alarm: there is nothing to release', async () => {
      const { status } = await release(await returned());
      expect([status >= 400 && status < 500]).toEqual([true]);
    });

    it('waits for the confirmation when the chain drops the block of the payment', async () => {
      const deposit = await returned();
      await deposit.reorg(deposit.txid, 35);
      expect((await deposit.read()).status).toBe('Succeed');
      expect(await broadcast(deposit, transactionId())).toBe('rejected');
      await deposit.confirm(deposit.txid, 42);
      expect(await broadcast(deposit, transactionId(), 43)).toBe('applied');
    });

    it('is not asked for twice', async () => {
      const deposit = await returned();
      expect(verdict(await deposit.return())).toEqual({
        status: 400,
        detail: "Decision is already 'returned', cannot return",
      });
    });
  });

  describe('what operators see of returns', () => {
    const read = async (path: string, items: string) => done(await service.operator('GET', path))[items] as Body[];
    const statesOf = async ({ id }: Returned) =>
      (await read(`/operator/returns?deposit_id=${id}`, 'returns')).map(({ state }) => state);
    const isAmong = async (state: string, { id }: Returned) =>
      (await read(`/operator/returns?state=${state}&limit=500`, 'returns')).some(({ deposit_id }) => deposit_id === id);
    const heldInInbox = async () =>
      Number((await read('/operator/inbox', 'waiting')).find(({ kind }) => kind === 'return_held')?.count ?? 0);

    it('is where they stand as soon as whatever moved them was answered, in every round', async () => {
      for (let round = 0; round < 6; round++) {
        const deposit = await returned();
        expect(await isAmong('queued', deposit)).toBe(true);
        const refund = transactionId();
        await broadcast(deposit, refund);
        expect([await isAmong('queued', deposit), await statesOf(deposit)]).toEqual([false, ['broadcast']]);
        await dropped(deposit, refund);
        expect(await statesOf(deposit)).toEqual(['queued']);
        await deposit.ofac('hit', 46);
        expect([await isAmong('queued', deposit), await statesOf(deposit)]).toEqual([false, ['held']]);
        await release(deposit);
        expect(await statesOf(deposit)).toEqual(['queued']);
      }
    });

    it('is what they wait for while their payments are not all there', async () => {
      const unfunded = async ({ id }: Returned) =>
        (await read(`/operator/returns?unfunded=true&limit=500`, 'returns')).flatMap((row) =>
          row.deposit_id === id ? [[row.state, row.unfunded_because]] : [],
        );
      const inInbox = async () => (await read('/operator/inbox', 'waiting')).map(({ kind }) => kind);
      const deposit = await returned();
      expect(await unfunded(deposit)).toEqual([]);
      await deposit.reorg(deposit.txid, 35);
      expect(await unfunded(deposit)).toEqual([['queued', 'reorged']]);
      await deposit.doubleSpend(deposit.txid, 36);
      expect(await unfunded(deposit)).toEqual([['queued', 'double_spent']]);
      expect(await inInbox()).toContain('return_unfunded');
      await deposit.confirm(deposit.txid, 42);
      expect(await unfunded(deposit)).toEqual([]);
    });

    it('is told apart of what was sent before its payments were lost', async () => {
      const of = async (kind: string) =>
        (await read('/operator/inbox', 'waiting')).find((each) => each.kind === kind) ?? { count: 0 };
      const [waiting, lost] = [(await of('return_unfunded')).count, Number((await of('return_lost')).count)];
      const deposit = await returned();
      await broadcast(deposit, transactionId());
      await deposit.reorg(deposit.txid, 47);
      await deposit.doubleSpend(deposit.txid, 48);
      expect(await of('return_lost')).toMatchObject({ count: lost + 1, severity: 'critical' });
      expect((await of('return_unfunded')).count).toBe(waiting);
    });

    it('is in the inbox and found by its id as soon', async () => {
      for (let round = 0; round < 6; round++) {
        const before = await heldInInbox();
        const deposit = await returned();
        const found = { kind: 'deposit', id: String(deposit.id), by: 'return_id' };
        expect(await read(`/operator/search?q=${deposit.returnId}`, 'found')).toContainEqual(
          expect.objectContaining(found),
        );
        await deposit.kyt('failed', 35);
        expect(await heldInInbox()).toBe(before + 1);
      }
    });

    it('is shown also while the newest that was written is of no deposit', async () => {
      await pinLegacyRates(service);
      const deposit = await returned();
      await (await newLegacyPartner(service)).create();
      expect(await statesOf(deposit)).toEqual(['queued']);
    });
  });
};
