import type pg from 'pg';
import { keepTrying, whenAborted } from '../pause/index.ts';
import { openConnection } from './connection.ts';

export type ListenOptions = {
  /** Whose settings the listening connection takes over. */
  readonly pool: pg.Pool;
  /** How operators of the database see the connection. */
  readonly name: string;
  readonly channel: string;
  /** It listens, for the first time or anew: whatever was told before was not heard. */
  readonly onListening: (client: pg.Client) => void;
  readonly onNotice: (payload: string) => void;
  readonly onTrouble?: (error: unknown) => void;
};

export type Listener = { readonly stop: () => Promise<void> };

/** Hears what is told on a channel, on a connection of its own that it makes again whenever it is lost. */
export const listen = ({ pool, name, channel, onListening, onNotice, onTrouble }: ListenOptions): Listener => {
  const stopping = new AbortController();
  const { signal } = stopping;

  const hear = async (onProgress: () => void): Promise<void> => {
    const { client, lost, close } = await openConnection(pool, name);
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.query(`LISTEN ${channel}`);
      onProgress();
      if (!signal.aborted) onListening(client);
      await whenAborted(AbortSignal.any([signal, lost]));
    } finally {
      await close();
    }
    if (!signal.aborted) throw new Error('the connection that listens is gone');
  };

  const heard = keepTrying({ signal, ...(onTrouble && { onTrouble }) }, hear);
  return {
    stop: async () => {
      stopping.abort();
      await heard;
    },
  };
};
