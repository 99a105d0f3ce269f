import pg from 'pg';
import { isReadOnly, isSilent, noteUnconnected } from './away.ts';
import { guardSession, type Settings } from './session-settings.ts';

/** A name may stand for another server by now, and whoever only reads is told by nobody. */
const LONGEST_LIFE_SECONDS = 300;

/** A server that is read-only for long is not connected to anew with each statement that it refuses. */
const RENEW_EVERY_MS = 1_000;

type HeardPoolConfig = pg.PoolConfig & {
  /** Of every session, beside those that guard it. */
  readonly settings?: Settings | undefined;
};

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * One that breaks in use fails its statement; the client's own event, unheard, would end the process on top of it. It
 * can come as soon as there is a connection, before whoever asked for it has it in hands.
 *
 * One that is read-only goes, and those go that lie idle beside it: they may have been made to what is a standby since,
 * or was one then, and new ones find whoever bears the name now. So do those beside one that went silent: where its
 * server is gone without a word, or what stands between has forgotten it, each of them would keep its next caller waiting
 * as long.
 */
export class HeardPool extends pg.Pool {
  readonly settings: Settings;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor({ settings = {}, ...config }: HeardPoolConfig = {}) {
    const onConnect = async (client: pg.ClientBase): Promise<void> => {
      await guardSession(client, settings);
      await config.onConnect?.(client);
    };
    super({ maxLifetimeSeconds: LONGEST_LIFE_SECONDS, ...config, onConnect });
    this.settings = settings;
    this.on('connect', (client) => client.on('error', () => undefined));
    this.on('release', (error) => (isReadOnly(error) || isSilent(error)) && this.#renew(isSilent(error)));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error: unknown) => {
        noteUnconnected(error);
        throw error;
      });
    super.connect((error, ...connected) => {
      noteUnconnected(error);
      callback(error, ...connected);
    });
    return undefined;
  }

  #renew(isSilenced: boolean): void {
    if (performance.now() < this.#renewedAt + RENEW_EVERY_MS) return;
    this.#renewedAt = performance.now();
    for (let left = this.idleCount; left > 0; left--)
      void this.connect().then(
        (client) => {
          client.release(true);
          // Nobody may be there to say goodbye to, and whoever waits for its place would wait for that.
          if (isSilenced) client.connection.stream.destroy();
        },
        () => undefined,
      );
  }
}
