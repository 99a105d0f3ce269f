import { expect, it } from '@jest/globals';
import pg from 'pg';
import { shareLists } from './shared-lists.ts';

it('a partner with a hundred lists under way leaves connections to others, and a place for their lists', async () => {
  const share = shareLists(new pg.Pool({ max: 20 }));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let underWay = 0;
  const slow = Array.from({ length: 100 }, () =>
    share(1, async () => {
      underWay += 1;
      await ended;
    }),
  );
  expect(await share(2, async () => 'listed')).toBe('listed');
  expect(underWay).toBe(3);
  end();
  await Promise.all(slow);
  expect(underWay).toBe(100);
});
