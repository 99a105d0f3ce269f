import { expect, it } from '@jest/globals';
import { readErrors } from '#door/errors';
import { shownOnceRecorded } from './recorded.ts';

it('shows what can be read', async () => {
  expect(await shownOnceRecorded(Promise.resolve('it'))).toBe('it');
});

it.each([
  ['that is away', Promise.reject(new Error('Connection terminated'))],
  ['that is behind', Promise.reject(readErrors.listBehind())],
  ['without it', Promise.resolve(undefined)],
])('says of a read model %s that the change is recorded, never that it may be tried again', async (_, reading) => {
  await expect(shownOnceRecorded(reading)).rejects.toMatchObject({
    status: 503,
    body: { code: 'recorded_not_shown', detail: expect.stringMatching(/^It is recorded/) },
  });
});
