import { LRUCache } from 'lru-cache';
import type { Logger } from '#platform/logging';
import type { Claimed } from './claim.ts';
import type { AttemptMade, Verdict } from './finish.ts';

type Told = 'failing' | 'given up';

export type ToldEndpoints = {
  readonly tell: (delivery: Claimed, attempt: AttemptMade, status: Verdict['status']) => void;
};

const MOST_ENDPOINTS = 10_000;

/** An endpoint that is down fails every attempt for days: its log says that it fails, that it was given up, that it is back. */
export const tellEndpoints = (logger: Pick<Logger, 'error' | 'info' | 'warn'>): ToldEndpoints => {
  const told = new LRUCache<string, Told>({ max: MOST_ENDPOINTS });
  const isNews = (endpoint: string, state: Told): boolean => {
    const before = told.get(endpoint);
    if (before === state || (before === 'given up' && state === 'failing')) return false;
    told.set(endpoint, state);
    return true;
  };
  const tellFailure = (fields: object, endpoint: string, state: Told): void => {
    if (!isNews(endpoint, state)) return;
    if (state === 'failing') logger.warn(fields, 'an endpoint does not take its webhooks: they are tried again');
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
        tellFailure(
          { ...fields, status_code: statusCode, error },
          endpoint,
          status === 'dead' ? 'given up' : 'failing',
        );
      else if (told.delete(endpoint)) logger.info(fields, 'an endpoint takes webhooks again');
    },
  };
};
