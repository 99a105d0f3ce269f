import { describe, expect, it } from '@jest/globals';
import { samplePerFile } from './testing/sample-per-file.ts';

const sample = samplePerFile();

describe('no answer is kept by what stands between', () => {
  it.each([
    ['/', 200],
    ['/sample/slow/1', 200],
    ['/sample/list', 400],
    ['/nowhere', 404],
  ])('%s, which is a %s', async (path, expected) => {
    const { status, headers } = await fetch(sample.base + path);
    expect([status, headers.get('cache-control')]).toEqual([expected, 'no-store']);
  });
});
