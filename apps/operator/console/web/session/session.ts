import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { MeBody } from '../../session/session-bodies.ts';
import { call, callAs } from '../calls.ts';

export type Me = MeBody;

const known = (me: Me): Me => {
  callAs(me.id);
  return me;
};

export const signIn = (token: string): Promise<Me> =>
  call<Me>('/console/session', { method: 'POST', body: { token } }).then(known);

export const signOut = (): Promise<void> => call('/console/session', { method: 'DELETE' });

export const confirmToken = (token: string): Promise<void> =>
  call('/console/session/confirmation', { method: 'POST', body: { token } });

export const whoAmI = (): Promise<Me> => call<Me>('/operator/me').then(known);

export const SessionContext = createContext<Me | undefined>(undefined);

export const useMe = (): Me => {
  const me = useContext(SessionContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
};

/** Whether whoever is signed in may call an operation: the server's own table says so. */
export const useCan = (): ((operation: string) => boolean) => {
  const { can } = useMe();
  return (operation) => can.includes(operation);
};
