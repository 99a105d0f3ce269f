import type { BusLog } from '../log.ts';

export type Retention = {
  /** A message stays at least so long, and until every known group has committed it. */
  readonly keepMs: number;
  /** How often what is past that is removed; default: every minute. */
  readonly everyMs?: number;
};

export type PostgresBusOptions = {
  /** Straight to the server or through a pooler in session mode: claims are locks of a session. */
  readonly databaseUrl: string;
  /** Connections for publishing; each consumer has one more of its own. Default 4. */
  readonly poolSize?: number;
  /** Default 1000: how soon a message is seen whose notification was lost. */
  readonly pollMs?: number;
  /** Default 1000: members unseen for three of these lose their share, for fifteen their connection. */
  readonly heartbeatMs?: number;
  /** Default: nothing is ever removed. */
  readonly retention?: Retention;
  readonly log?: BusLog;
};
