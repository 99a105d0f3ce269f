import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom a request is from and what it is about, as far as that has become known. */
export type RequestNotes = {
  caller?: string;
  /** Whose the key or access token is. */
  affiliate?: number;
  casino?: number;
  deposit?: number;
  transaction?: number;
  /** Why it failed, where that is our fault or that of a store. */
  reason?: string;
};

type RequestContext = { readonly requestId: string; readonly notes: RequestNotes };

const storage = new AsyncLocalStorage<RequestContext>();

/** Everything that `work` starts logs with this request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => storage.run({ requestId, notes: {} }, work);

export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** For the line that is written when the request under way is answered. */
export const noteOfRequest = (notes: RequestNotes): void => {
  const context = storage.getStore();
  if (context) Object.assign(context.notes, notes);
};

export const notesOfRequest = (): RequestNotes => storage.getStore()?.notes ?? {};
