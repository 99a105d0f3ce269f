import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createLog, silentLogger } from '../logging/index.ts';
import { createLifecycle, STAGES, stopOnSignals } from './index.ts';

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('stopping', () => {
  it('goes through the stages in order, each waiting for the one before', async () => {
    const lifecycle = createLifecycle({ logger: silentLogger });
    const done: string[] = [];
    for (const stage of STAGES.toReversed()) {
      lifecycle.onStop(stage, stage, async () => {
        await later(2);
        done.push(stage);
      });
    }
    await lifecycle.stop('test');
    expect(done).toEqual([...STAGES]);
  });

  it('runs what belongs to one stage side by side', async () => {
    const lifecycle = createLifecycle({ logger: silentLogger });
    const meeting = Promise.withResolvers<void>();
    lifecycle.onStop('close-stores', 'one', () => meeting.promise);
    lifecycle.onStop('close-stores', 'other', () => meeting.resolve());
    await lifecycle.stop('test');
  });

  it('happens once, however often it is asked for', async () => {
    const lifecycle = createLifecycle({ logger: silentLogger });
    let times = 0;
    lifecycle.onStop('not-ready', 'count', () => {
      times += 1;
    });
    expect(lifecycle.stopping()).toBe(false);
    await Promise.all([lifecycle.stop('one'), lifecycle.stop('two')]);
    expect([times, lifecycle.stopping()]).toEqual([1, true]);
  });

  it('goes on past a step that fails or hangs, and names it', async () => {
    const lines: string[] = [];
    const { logger } = createLog({ level: 'error', to: { write: (line) => lines.push(line) } });
    const lifecycle = createLifecycle({ logger, stepTimeoutMs: 20 });
    const done: string[] = [];
    lifecycle.onStop('stop-consumers', 'the relay', () => Promise.reject(new Error('broken')));
    lifecycle.onStop('close-stores', 'the pool', () => new Promise(() => undefined));
    lifecycle.onStop('stop-postgres', 'postgres', () => done.push('postgres'));
    await lifecycle.stop('test');
    expect(done).toEqual(['postgres']);
    expect(lines.join()).toMatch(/could not stop the relay[\s\S]*could not stop the pool/);
  });

  it('leaves out what was taken back', async () => {
    const lifecycle = createLifecycle({ logger: silentLogger });
    const done: string[] = [];
    const takeBack = lifecycle.onStop('close-stores', 'early', () => done.push('early'));
    takeBack();
    await lifecycle.stop('test');
    expect(done).toEqual([]);
  });
});

describe('a signal', () => {
  const signalled = () => {
    const lifecycle = createLifecycle({ logger: silentLogger, stepTimeoutMs: 50 });
    const source = new EventEmitter();
    const exits: number[] = [];
    const exited = Promise.withResolvers<number>();
    const exit = (code: number) => {
      exits.push(code);
      exited.resolve(code);
    };
    const forget = stopOnSignals({
      lifecycle,
      logger: silentLogger,
      exit,
      source: source as unknown as NodeJS.Process,
    });
    return { lifecycle, source, exits, exited: exited.promise, forget };
  };

  it('stops in order and then exits with 0', async () => {
    const { lifecycle, source, exited } = signalled();
    const done: string[] = [];
    lifecycle.onStop('finish-requests', 'requests', () => done.push('requests'));
    source.emit('SIGTERM', 'SIGTERM');
    expect(await exited).toBe(0);
    expect(done).toEqual(['requests']);
  });

  it('that comes a second time exits at once with 1', () => {
    const { lifecycle, source, exits } = signalled();
    lifecycle.onStop('finish-requests', 'a request that never ends', () => new Promise(() => undefined));
    source.emit('SIGINT', 'SIGINT');
    expect(exits).toEqual([]);
    source.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([1]);
  });
});
