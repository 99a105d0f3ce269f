import assert from 'node:assert';
import { describe, expect, it } from '@jest/globals';
import { describeFailure } from './describe-failure.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('why no answer came', () => {
  it('is told in plain words where the answer was more than the client could take', () => {
    expect(describeFailure(thrownBy(() => assert(null)))).toBe('The answer is not HTTP');
  });
});
