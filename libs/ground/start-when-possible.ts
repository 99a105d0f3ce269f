import { keepTrying } from '#platform/pause';
import type { Ground } from './ground.ts';

type Running = { readonly stop: () => Promise<void> };

/** Starts what needs a server of others as soon as that answers: the start of the service does not wait for it. */
export const startWhenPossible = (
  { lifecycle, logger }: Pick<Ground, 'lifecycle' | 'logger'>,
  name: string,
  start: () => Promise<Running>,
): void => {
  const stopping = new AbortController();
  const onTrouble = (error: unknown): void => logger.debug({ err: error }, `${name} cannot start yet`);
  const running = keepTrying({ firstMs: 250, mostMs: 5_000, signal: stopping.signal, onTrouble }, start);
  lifecycle.onStop('stop-consumers', name, async () => {
    stopping.abort();
    await (await running)?.stop();
  });
};
