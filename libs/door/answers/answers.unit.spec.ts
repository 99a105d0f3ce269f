import { describe, expect, it } from '@jest/globals';
import { Crowded } from '#platform/gate';
import { acceptErrors, scopeErrors, shown } from '../errors/index.ts';
import { answersTo, appliedOr, orFailed, unapplied } from './index.ts';

type Refusal =
  | { readonly refusal: 'too_late'; readonly hour: number }
  | { readonly refusal: 'too_dark' | 'too_wet'; readonly place: string };

type Outcome =
  | { readonly outcome: 'applied'; readonly walked: number }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'not_found' | 'busy' };

const refused = answersTo<Refusal>({
  too_late: ({ hour }) => shown(409, `too late: ${hour}`),
  too_dark: ({ place }) => shown(409, `too dark in ${place}`),
  too_wet: () => shown(400, 'too wet'),
});

const walked = appliedOr<Outcome>({ ...unapplied, refused: ({ refusal }) => refused(refusal) });

const answered = (outcome: Outcome) => {
  try {
    return walked(outcome).walked;
  } catch (error) {
    return error;
  }
};

describe('the answer to an outcome', () => {
  it('is what was applied', () => {
    expect(answered({ outcome: 'applied', walked: 7 })).toBe(7);
  });

  it('is the row of the refusal, with what the refusal tells', () => {
    const late = { refusal: 'too_late', hour: 23 } as const;
    expect(answered({ outcome: 'refused', refusal: late })).toMatchObject({ status: 409, message: 'too late: 23' });
    const dark = { refusal: 'too_dark', place: 'the wood' } as const;
    expect(answered({ outcome: 'refused', refusal: dark })).toMatchObject({ message: 'too dark in the wood' });
  });

  it('is the same for every command on a deposit that is not there, or that too many change at once', () => {
    expect(answered({ outcome: 'not_found' })).toMatchObject({ status: 404, message: 'Deposit not found' });
    expect(answered({ outcome: 'busy' })).toMatchObject({ status: 503 });
  });
});

describe('a fault', () => {
  it('is answered by the name that the interface has for it there, with its cause for the log', async () => {
    const fault = new Error('no database');
    await expect(orFailed(Promise.reject(fault), acceptErrors.failed)).rejects.toMatchObject({
      status: 500,
      body: { detail: 'Failed to accept deposit' },
      cause: fault,
    });
  });

  it('is none where no turn came: the door says that nothing was done', async () => {
    const crowded = new Crowded('its turn did not come');
    await expect(orFailed(Promise.reject(crowded), acceptErrors.failed)).rejects.toBe(crowded);
  });

  it('is nothing that may be shown as it is', async () => {
    const refusal = scopeErrors.depositNotFound();
    await expect(orFailed(Promise.reject(refusal), acceptErrors.failed)).rejects.toBe(refusal);
    expect(await orFailed(Promise.resolve(7), acceptErrors.failed)).toBe(7);
  });
});
