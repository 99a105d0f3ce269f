import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

it('is given to one alone, whichever process asks, while the one who has it lives', async () => {
  // Few, and none of those that other tests are given.
  const first = randomInt(32_000, 32_750);
  const range = [first, first + 16] as const;
  const ours: number[] = [];
  while (ours.length < 7) ours.push(await freePort(...range));
  const asks = `import { freePort } from '${new URL('free-port.ts', import.meta.url)}';
    for (let nth = 0; nth < 7; nth += 1) console.log(await freePort(${range}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', asks]);
  const theirs = stdout.trim().split('\n').map(Number);
  expect(new Set([...ours, ...theirs]).size).toBe(14);
});
