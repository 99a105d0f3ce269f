import type { Socket } from 'node:net';

/** Connections by whose they are, and who has the most of them, told without looking at all. */
export const createCrowds = () => {
  const ownerOf = new Map<Socket, string>();
  const socketsOf = new Map<string, Set<Socket>>();
  const ofSize: Set<string>[] = [];
  let largest = 0;
  const move = (owner: string, from: number, to: number): void => {
    ofSize[from]?.delete(owner);
    ofSize[to] ??= new Set();
    if (to > 0) ofSize[to].add(owner);
    largest = Math.max(largest, to);
    while (largest > 0 && ofSize[largest]?.size === 0) largest -= 1;
  };
  const remove = (socket: Socket): void => {
    const owner = ownerOf.get(socket);
    const sockets = owner === undefined ? undefined : socketsOf.get(owner);
    if (owner === undefined || !sockets) return;
    ownerOf.delete(socket);
    sockets.delete(socket);
    move(owner, sockets.size + 1, sockets.size);
    if (sockets.size === 0) socketsOf.delete(owner);
  };
  return {
    count: (): number => ownerOf.size,
    put: (owner: string, socket: Socket): void => {
      if (ownerOf.get(socket) === owner) return;
      remove(socket);
      ownerOf.set(socket, owner);
      const sockets = socketsOf.get(owner) ?? new Set();
      socketsOf.set(owner, sockets.add(socket));
      move(owner, sockets.size - 1, sockets.size);
    },
    remove,
    /** Of whoever has the most: the oldest that is spared the least. */
    first: (isSpared: (socket: Socket) => boolean = () => false): Socket | undefined => {
      const [owner = ''] = ofSize[largest] ?? [];
      const sockets = socketsOf.get(owner) ?? [];
      for (const socket of sockets) if (!isSpared(socket)) return socket;
      const [oldest] = sockets;
      return oldest;
    },
  };
};
