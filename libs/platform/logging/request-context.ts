import { AsyncLocalStorage } from 'node:async_hooks';

type RequestContext = { readonly requestId: string };

const storage = new AsyncLocalStorage<RequestContext>();

/** Everything that `work` starts logs with this request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => storage.run({ requestId }, work);

export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
