import { describe, expect, it } from '@jest/globals';
import { samplePerFile } from './testing/sample-per-file.ts';

const sample = samplePerFile();

describe('a database that cannot be asked', () => {
  const answered = async (method: string, path: string) => {
    const response = await fetch(`${sample.base}/sample/${path}`, { method });
    const { status, headers } = response;
    const { detail, code } = (await response.json()) as { detail: string; code?: string };
    return { status, retryAfter: headers.get('retry-after'), detail, code };
  };
  const away = {
    ...{ status: 503, retryAfter: '2', code: 'database_unavailable' },
    detail: 'The database does not answer: try again in 2 seconds',
  };

  it('is a 503 for whoever reads, however it failed', async () => {
    expect(await answered('GET', 'unconnected')).toEqual(away);
    expect(await answered('GET', 'unanswered')).toEqual(away);
    expect(await answered('POST', 'read-unanswered')).toEqual(away);
  });

  it('is a 503 for whoever changes something where it was not even asked, else nobody knows what was done', async () => {
    expect(await answered('POST', 'unconnected')).toEqual(away);
    expect(await answered('POST', 'unanswered')).toMatchObject({ status: 500, detail: 'Internal server error' });
  });

  it('is left alone by calls that would only wait', async () => {
    expect(await answered('POST', 'crowded')).toMatchObject({ status: 503, retryAfter: '2', code: 'too_many_wait' });
  });
});
