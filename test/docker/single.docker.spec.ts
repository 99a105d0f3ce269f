import { beforeAll, describe, expect, it } from '@jest/globals';
import { bindClauses } from '../acceptance/bind.ts';
import { accept, created, documents, kyc, returnAndFreeze, testWebhook } from '../acceptance/clauses/index.ts';
import {
  endpoints,
  eventually,
  expectAllToldOnce,
  type Hooked,
  hookedCasinos,
  mainJob,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';
import { containerOf, docker, start, stop, told, untilReady } from './containers.ts';
import { keepsToItself } from './images.ts';

bindClauses('all in one container', startService, { accept, created, documents, kyc, returnAndFreeze, testWebhook });

describe('the container', () => {
  keepsToItself(['cointill']);

  describe('that is stopped', () => {
    let hooked: Hooked;
    let container: string;
    const open = endpoints();

    beforeAll(async () => {
      const running = await startService();
      hooked = await hookedCasinos(
        serviceAt(() => running),
        open,
      )();
      container = await containerOf('cointill');
    });

    it('ends by itself, and has everything when it is started again', async () => {
      const before = await mainJob(hooked);
      await stop([container]);
      expect(await told(container, '{{.State.ExitCode}}')).toBe('0');
      await start([container]);
      expect(await hooked.casino.read(before)).toMatchObject({ decision: 'accepted' });
      await expectAllToldOnce(hooked.endpoint, [before, await mainJob(hooked)]);
    }, 180_000);

    it('comes back by itself when its process is killed', async () => {
      const begun = () => told(container, '{{.State.StartedAt}}');
      const before = await begun();
      // Everything that this user may kill; the init process is left, which ends with its child.
      await docker('exec', container, 'node', '-e', "process.kill(-1, 'SIGKILL')").catch(() => undefined);
      expect(await eventually(begun, (now) => now !== before, 30_000)).not.toBe(before);
      await untilReady(container);
      await expectAllToldOnce(hooked.endpoint, [await mainJob(hooked)]);
    }, 180_000);
  });
});
