import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  readonly port: number;
  /** Keeps back everything that the server says from now on: what is sent still arrives there. */
  readonly hold: () => void;
  /** Lets nothing through any more on the connections of now, either way, without a word of it; new ones are as ever. */
  readonly silence: () => void;
  /** Drops every connection; what was held is lost. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** What is answered, in the server's stead, to the first that a client says; undefined lets it through. */
type Refuse = (said: Buffer) => Buffer | undefined;

/**
 * Stands between a client and its server, to lose answers and connections without anybody's help. The target is asked
 * for at each connection, since a server may come back on another port.
 */
export const startTcpProxy = async (
  target: () => { host: string; port: number },
  refuse: Refuse = () => undefined,
): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let held = false;
  const pass = (from: Socket, to: Socket, chunk: Buffer): void => {
    if (!silenced.has(from)) to.write(chunk);
  };
  const join = (one: Socket, other: Socket): void => {
    sockets.add(one);
    one.on('error', () => undefined);
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
  };
  const server = createServer((inner) => {
    const { host, port } = target();
    const outer = connect(port, host);
    join(inner, outer);
    join(outer, inner);
    inner.once('data', (said) => {
      const refusal = refuse(said);
      if (refusal) return void inner.end(refusal);
      outer.write(said);
      inner.on('data', (chunk) => pass(inner, outer, chunk));
    });
    outer.on('data', (chunk) => {
      if (!held) pass(outer, inner, chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    held = false;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    hold: () => {
      held = true;
    },
    silence: () => {
      for (const socket of sockets) silenced.add(socket);
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
};
