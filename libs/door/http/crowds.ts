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
  const unsparedOf = (size: number, isSpared: (socket: Socket) => boolean): Socket | undefined => {
    for (const owner of ofSize[size] ?? [])
      for (const socket of socketsOf.get(owner) ?? []) if (!isSpared(socket)) return socket;
    return undefined;
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
    /**
     * Of whoever has the most: the oldest that is spared the least. Whoever has no more than a `modest` number and has them all
     * spared keeps them while there is one of others that is not.
     */
    first: (isSpared: (socket: Socket) => boolean = () => false, modest = 0): Socket | undefined => {
      const smallest = largest > modest ? largest : 1;
      for (let size = largest; size >= smallest; size -= 1) {
        const found = unsparedOf(size, isSpared);
        if (found) return found;
      }
      return unsparedOf(largest, () => false);
    },
  };
};
