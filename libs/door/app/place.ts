import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError, type Place } from '../http/index.ts';

/** A taken port is told at once, before a database is started for nothing. */
export const checkPlace = async (place: Place): Promise<void> => {
  const probe = createServer();
  try {
    probe.listen(place.port, place.host);
    await once(probe, 'listening');
  } catch (error) {
    throw listenError(error, place);
  }
  probe.close();
  await once(probe, 'close');
};
