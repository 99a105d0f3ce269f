import { describe, expect, it } from '@jest/globals';
import { KafkaJSConnectionError, KafkaJSNumberOfRetriesExceeded } from 'kafkajs';
import { UnreadableBatch } from './codecs.ts';
import { remedyOf } from './lasting.ts';

describe('a consumer that ended', () => {
  it('before messages that nobody can read says what to do, however often they were tried', () => {
    const unreadable = new UnreadableBatch('LZ4', new RangeError('out of range'));
    const unknown = Object.assign(new Error('another compression'), { name: 'KafkaJSNotImplemented' });
    const tried = new KafkaJSNumberOfRetriesExceeded(unreadable, { retryCount: 6, retryTime: 2_000 });
    for (const error of [unreadable, tried, unknown]) expect(remedyOf(error)).toContain('--reset-offsets');
  });

  it('by what may pass asks nothing of anybody', () => {
    expect(remedyOf(new KafkaJSConnectionError('the connection was reset'))).toBeUndefined();
  });
});
