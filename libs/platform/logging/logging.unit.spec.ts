import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLog, withRequestId } from './index.ts';
import { terminalLine } from './terminal.ts';

const recorded = (level = 'info') => {
  const lines: string[] = [];
  const { logger } = createLog({ level, to: { write: (line) => lines.push(line) } });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('a log line', () => {
  it('is one JSON object with its level, its time and its sentence', () => {
    const { logger, lines, parsed } = recorded();
    logger.info({ port: 3000 }, 'listening');
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(parsed()[0]).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      port: 3000,
      msg: 'listening',
    });
  });

  it('below the level is not written', () => {
    const { logger, lines } = recorded('warn');
    logger.info('quiet');
    expect(lines).toEqual([]);
  });

  it('carries the id of the request it belongs to, however late it comes', async () => {
    const { logger, parsed } = recorded();
    await Promise.all(
      ['a', 'b'].map((id) =>
        withRequestId(id, async () => {
          await later(1);
          logger.info(`for ${id}`);
        }),
      ),
    );
    expect(
      parsed()
        .map(({ msg, request_id }) => `${msg} ${request_id}`)
        .sort(),
    ).toEqual(['for a a', 'for b b']);
  });

  it('hides keys, tokens, phones and e-mail addresses in headers and bodies', () => {
    const { logger, lines } = recorded();
    logger.info(
      {
        headers: { 'X-API-Key': '7:hunter2', authorization: 'Bearer hunter2', host: 'here' },
        body: { phone: 'hunter2', deep: [{ email: 'hunter2@example.com' }], access_token: 'hunter2', amount: 5 },
      },
      'asked',
    );
    expect(lines.join()).not.toContain('hunter2');
    expect(lines.join()).toContain('"amount":5');
    expect(lines.join()).toContain('"host":"here"');
  });

  it('hides what slipped into a sentence or an error', () => {
    const { logger, lines } = recorded();
    logger.error({ err: new Error('no server at postgres://me:hunter2@db/pay') }, 'mail to hunter2@example.com failed');
    logger.warn('key 17:hunter2hunter2hunter2hunter2 was refused, Bearer hunter2 too');
    expect(lines.join()).not.toContain('hunter2');
    expect(lines.join()).toContain('@db/pay');
  });

  it('keeps an error with its stack and its cause', () => {
    const { logger, parsed } = recorded();
    logger.error({ err: new Error('above', { cause: new TypeError('below') }) }, 'failed');
    expect(parsed()[0]?.err).toMatchObject({
      message: 'above',
      stack: expect.stringContaining('logging.unit.spec'),
      cause: { type: 'TypeError', message: 'below' },
    });
  });

  it('is short on a terminal', () => {
    const line = terminalLine('{"level":40,"time":"2026-01-01T10:00:00.000Z","lag":7,"msg":"behind"}');
    expect(line).toMatch(/^\d\d:\d\d:\d\d WARN behind lag=7\n$/);
  });

  it('shows on a terminal what would move the cursor or turn the line around, and obeys none of it', () => {
    const hostile = 'a\u001b[2J\u0007\u009b31m\u007f\u202egnp\r\n10:00:00 FATAL forged';
    const { logger, lines } = recorded();
    const err = Object.assign(new Error(hostile), { stack: `Error: a\u001b[2J\u202e\r\n    at here\u009b (b.ts:1:1)` });
    logger.error({ name: hostile, [hostile]: { deep: hostile }, err }, hostile);
    const [first, ...stack] = terminalLine(lines.join('')).slice(0, -1).split('\n');
    const shown = 'a\\x1b[2J\\x07\\x9b31m\\x7f\\u202egnp\\x0d\\x0a10:00:00 FATAL forged';
    const deep = '{"deep":"a\\u001b[2J\\u0007\\x9b31m\\x7f\\u202egnp\\r\\n10:00:00 FATAL forged"}';
    expect(first?.slice('10:00:00 '.length)).toBe(`ERROR ${shown} name=${shown} ${shown}=${deep}`);
    expect(stack).toEqual(['Error: a\\x1b[2J\\u202e\\x0d', '    at here\\x9b (b.ts:1:1)']);
  });
});
