import { startAddressCompletion } from '#deposit-commands';
import type { App, CommandsOnBus } from '#door/app';
import { type Ground, projections, type ServiceDesk, streamRows } from '#ground';
import { registerProjectionGauges, startProjections, watchHistory } from '#read-models';
import { openReceipts } from '#receipts';

const startFollowing = ({ lifecycle, log, logger, metrics, pool }: Ground): void => {
  const running = startProjections({ projections, log, pool, logger });
  registerProjectionGauges(metrics.registry, running);
  lifecycle.onStop('stop-consumers', 'the projections', running.stop);
};

const startWatching = ({ lifecycle, log, logger, pool }: Ground): void => {
  const watching = watchHistory({ log, logger, pool, kinds: streamRows });
  lifecycle.onStop('stop-consumers', 'the watch over history', watching.stop);
};

const startCompletion = (
  { lifecycle, logger }: Ground,
  { addresses, reads }: ServiceDesk,
  { assignAddress }: CommandsOnBus,
): void => {
  const completion = startAddressCompletion({
    idsWithoutAddress: reads.idsWithoutAddress,
    takeAddress: addresses.take,
    assignAddress,
    onAvailable: addresses.onAvailable,
    logger,
  });
  lifecycle.onStop('stop-consumers', 'the completion of deposits without an address', completion.stop);
};

/** What follows from the log: the rows, and what those show to be due. */
export const projector: App = {
  name: 'projector',
  open: async ({ ground, desk: openDesk, commands }) => {
    const desk = await openDesk();
    return {
      start: () => {
        startFollowing(ground);
        startWatching(ground);
        startCompletion(ground, desk, commands);
        const receipts = openReceipts({ pool: ground.pool, logger: ground.logger });
        ground.lifecycle.onStop('stop-consumers', 'the receipts', receipts.close);
      },
    };
  },
};
