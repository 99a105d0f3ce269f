import { describe, expect, it } from '@jest/globals';
import { accountsPerFile } from '../testing/accounts-per-file.ts';

const accounts = accountsPerFile();
const { admin } = accounts;

const entity = async (): Promise<{ readonly id: number }> => {
  const affiliate = await admin('POST', 'affiliates', { name: 'Northern' });
  const made = await admin('POST', 'entities', { affiliate_id: affiliate.body.id, name: 'Aurora' });
  return { id: Number(made.body.id) };
};

describe('fees of a casino', () => {
  it('are kept as they were sent when they are invalid, with what is wrong with each line', async () => {
    const line = { beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.02 };
    const fees = [
      line,
      { ...line, beneficiary: 'CASINO' },
      { ...line, kind: 'SPREAD', paid_by: 'ENTITY', percent: 1 },
      'nothing',
      { ...line, percent: '0.5' },
    ];
    const { id } = await entity();
    const { status, body } = await admin('PATCH', `entities/${id}`, { fees });
    expect([status, body.fees]).toEqual([200, fees]);
    expect(body.warnings).toEqual([
      'fees[1]: beneficiary must be one of BF, AFFILIATE, ENTITY',
      'fees[2]: a SPREAD is always paid by the PLAYER',
      'fees[2]: percent must be a fraction of at least 0 and below 1',
      expect.stringMatching(/^fees\[3\]: beneficiary/),
      expect.stringMatching(/^fees\[3\]: kind/),
      expect.stringMatching(/^fees\[3\]: paid_by/),
      expect.stringMatching(/^fees\[3\]: percent/),
    ]);
    const spread = { ...line, kind: 'SPREAD', percent: 0.5 };
    const eaten = await admin('PATCH', `entities/${id}`, { fees: [spread, spread] });
    expect(eaten.body.warnings).toEqual(['fees: the percents of the spreads sum to 1 or more']);
    const costly = { ...line, kind: 'FEE', paid_by: 'ENTITY', percent: 0.5 };
    const owing = await admin('PATCH', `entities/${id}`, { fees: [costly, costly] });
    expect(owing.body.warnings).toEqual(['fees: the casino pays as much as its players are credited, or more']);
    expect((await admin('PATCH', `entities/${id}`, { fees: [] })).body.warnings).toEqual([]);
  });

  it('are a hundred lines at most, which every answer and webhook of a deposit repeats', async () => {
    const { id } = await entity();
    const line = { beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.0001 };
    const patched = (count: number) => admin('PATCH', `entities/${id}`, { fees: Array(count).fill(line) });
    expect((await patched(100)).status).toBe(200);
    const { status, body } = await patched(101);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must be a list of at most 100')]);
    expect((await admin('GET', `entities/${id}`)).body.fees).toHaveLength(100);
  });
});
