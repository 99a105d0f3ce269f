import { once } from 'node:events';
import { forked } from './keep-running.ts';

export type ServedManner = 'answers' | 'hangs' | 'fails';
export type Manner = ServedManner | 'refuses';

export type Arrival = {
  readonly at: number;
  readonly endpoint: number;
  readonly webhookId: string;
  readonly bodyHash: string;
  readonly depositId: number;
  readonly event: string;
};

export type FromEndpoints = { readonly urls: readonly string[] } | { readonly arrival: Arrival };

export type Endpoints = {
  readonly urls: readonly string[];
  readonly stop: () => Promise<void>;
};

const isServed = (manner: Manner): manner is ServedManner => manner !== 'refuses';

/** Nothing listens there, and no test is ever given it as a free port. */
const REFUSING_URL = 'http://127.0.0.1:1/hooks';

/** One endpoint for each of the manners, in their order. */
export const openEndpoints = async (
  manners: readonly Manner[],
  onArrival: (arrival: Arrival) => void,
): Promise<Endpoints> => {
  const served = manners.flatMap((manner, place) => (isServed(manner) ? [{ manner, place }] : []));
  const child = forked(
    'endpoints.main.ts',
    served.map(({ manner }) => manner),
  );
  const gone = once(child, 'exit');
  const listening = Promise.withResolvers<readonly string[]>();
  void gone.then(() => listening.reject(new Error('the endpoints ended')));
  child.on('message', (said: FromEndpoints) => {
    if ('urls' in said) listening.resolve(said.urls);
    else onArrival({ ...said.arrival, endpoint: served[said.arrival.endpoint]?.place ?? -1 });
  });
  const urlAt = new Map((await listening.promise).map((url, index) => [served[index]?.place, url]));
  return {
    urls: manners.map((_, place) => urlAt.get(place) ?? REFUSING_URL),
    stop: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
