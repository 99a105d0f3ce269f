import type { Socket } from 'node:net';
import type { RequestNotes } from '#platform/logging';
import { addressOf } from './address-of.ts';

/** Whose good credential was shown, and from where. */
type Shown = { readonly owner: string; readonly from: string };

type Asked = {
  readonly notes: RequestNotes;
  /** Of the client, also where a proxy that was named calls for him. */
  from: string;
  readonly before: Shown | undefined;
  isAnswered: boolean;
};

const newest = new WeakMap<Socket, Asked>();

const proxies = new WeakMap<Socket, string>();

const addressOn = (socket: Socket): string => addressOf({ ip: socket.remoteAddress });

/** An affiliate has as many keys and tokens as it wants: with one token of the older interface it mints others. */
const shownWith = ({ notes: { caller, affiliate }, from }: Asked): Shown | undefined =>
  caller === undefined ? undefined : { owner: affiliate === undefined ? caller : `affiliate ${affiliate}`, from };

/** With its newest call; while that has not shown it yet, with the one before. */
const shownOn = (socket: Socket): Shown | undefined => {
  const asked = newest.get(socket);
  return asked && (shownWith(asked) ?? (asked.isAnswered ? undefined : asked.before));
};

/** What becomes known of the caller of its next request. To be called back once that is answered. */
export const noteOn = (socket: Socket, notes: RequestNotes): (() => void) => {
  const last = newest.get(socket);
  const asked: Asked = { notes, from: addressOn(socket), before: last && shownWith(last), isAnswered: false };
  newest.set(socket, asked);
  return () => {
    asked.isAnswered = true;
  };
};

/** It is a proxy's that was named: its callers are many, and this request is from one of them. */
export const callsFor = (socket: Socket, client: string): void => {
  proxies.set(socket, addressOn(socket));
  const asked = newest.get(socket);
  if (asked) asked.from = client;
};

/** Who asks what is answered on it, also through a proxy: whose good credential was shown with it, and from where. */
export const askerOn = (socket: Socket): { readonly owner?: string | undefined; readonly from: string } => {
  const asked = newest.get(socket);
  return { owner: asked && shownWith(asked)?.owner, from: asked?.from ?? addressOn(socket) };
};

/** Whose the connection is: a proxy's that was named, or whose good credential was shown last; none, and it is a stranger's. */
export const ownerOf = (socket: Socket): string | undefined => {
  const proxy = proxies.get(socket);
  return proxy === undefined ? shownOn(socket)?.owner : `proxy ${proxy}`;
};

/** Whether whoever calls from there showed a good credential on it last: on a proxy's connection others call as well. */
export const isKnown = (socket: Socket, from = addressOn(socket)): boolean => shownOn(socket)?.from === from;
