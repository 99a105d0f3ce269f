import { LRUCache } from 'lru-cache';
import type { Logger } from '#platform/logging';
import type { Claimed } from './claim.ts';
import type { AttemptMade, Verdict } from './finish.ts';

/** Of an attempt that was not made, since nothing may go out unsigned. */
export const SECRET_UNREADABLE = 'The secret of the webhook setting cannot be opened: set or rotate it';

type Told = 'failing' | 'unreadable' | 'given up';

export type ToldEndpoints = {
  readonly tell: (delivery: Claimed, attempt: AttemptMade, status: Verdict['status']) => void;
};

const MOST_ENDPOINTS = 10_000;

const stateOf = (status: Verdict['status'], error: string | null): Told => {
  if (status === 'dead') return 'given up';
  return error === SECRET_UNREADABLE ? 'unreadable' : 'failing';
};

/** An endpoint that is down fails every attempt for days: its log says that it fails, that it was given up, that it is back. */
export const tellEndpoints = (logger: Pick<Logger, 'error' | 'info' | 'warn'>): ToldEndpoints => {
  const told = new LRUCache<string, Told>({ max: MOST_ENDPOINTS });
  const isNews = (endpoint: string, state: Told): boolean => {
    const before = told.get(endpoint);
    if (before === state || (before === 'given up' && state !== 'given up')) return false;
    told.set(endpoint, state);
    return true;
  };
  const tellFailure = (fields: object, endpoint: string, state: Told): void => {
    if (!isNews(endpoint, state)) return;
    if (state === 'failing') logger.warn(fields, 'an endpoint does not take its webhooks: they are tried again');
    else if (state === 'unreadable') logger.error({ alert: 'webhook_secret_unreadable', ...fields }, SECRET_UNREADABLE);
    else
      logger.error(
        { alert: 'webhook_delivery_dead', ...fields },
        'webhooks to an endpoint are given up: see to the endpoint, then send them again by hand',
      );
  };
  return {
    tell: ({ id, webhookId, event, entityId, endpoint }, { statusCode, error }, status) => {
      const fields = { endpoint, entity_id: entityId, delivery_id: id, webhook_id: webhookId, event };
      if (status !== 'delivered')
        tellFailure({ ...fields, status_code: statusCode, error }, endpoint, stateOf(status, error));
      else if (told.delete(endpoint)) logger.info(fields, 'an endpoint takes webhooks again');
    },
  };
};
