import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

export type Cutter = { readonly cut: () => number; readonly stop: () => void };

const isSocketEvent = (event: unknown): event is { socket: Socket } =>
  typeof event === 'object' && event !== null && 'socket' in event;

/** Breaks this process's connections to the ports, as a failing network would: whatever was under way stays unknown. */
export const connectionCutter = (ports: readonly number[]): Cutter => {
  const sockets = new Set<Socket>();
  const watch = (event: unknown): void => {
    if (!isSocketEvent(event)) return;
    const { socket } = event;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe('net.client.socket', watch);
  return {
    cut: () => {
      const broken = [...sockets].filter(({ remotePort }) => remotePort !== undefined && ports.includes(remotePort));
      for (const socket of broken) socket.destroy(new Error('The connection was cut'));
      return broken.length;
    },
    stop: () => unsubscribe('net.client.socket', watch),
  };
};
