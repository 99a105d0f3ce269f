import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export type Received = { readonly from: string; readonly to: readonly string[]; readonly data: string };

export type SmtpServer = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Refuses every receiver with this answer, until it is undefined. */
  readonly refuse: (answer: string | undefined) => void;
  readonly stop: () => Promise<void>;
};

type Envelope = { from: string; to: string[] };

/** As much of SMTP as a client needs to deliver. */
const converse = (socket: Socket, refusal: () => string | undefined, deliver: (mail: Received) => void): void => {
  let envelope: Envelope = { from: '', to: [] };
  let data: string[] | undefined;
  const say = (line: string): void => {
    socket.write(`${line}\r\n`);
  };

  const receive = (line: string): void => {
    const refused = refusal();
    if (refused === undefined) envelope.to.push(line.slice(8));
    say(refused ?? '250 ok');
  };

  const commands: Readonly<Record<string, (line: string) => void>> = {
    EHLO: () => say('250 test'),
    MAIL: (line) => {
      envelope = { from: line.slice(10), to: [] };
      say('250 ok');
    },
    RCPT: receive,
    DATA: () => {
      data = [];
      say('354 go on');
    },
    RSET: () => say('250 ok'),
    QUIT: () => socket.end('221 bye\r\n'),
  };

  const deliverWhole = (lines: readonly string[]): void => {
    deliver({ ...envelope, data: lines.join('\r\n') });
    data = undefined;
    say('250 taken');
  };

  const take = (line: string): void => {
    if (!data) (commands[line.slice(0, 4).toUpperCase()] ?? (() => say('502 not here')))(line);
    else if (line === '.') deliverWhole(data);
    else data.push(line.startsWith('.') ? line.slice(1) : line);
  };

  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  socket.on('error', () => undefined);
  say('220 test ESMTP');
};

/** A mail server on a port of its own that keeps what it gets; it speaks no TLS. */
export const startSmtpServer = async (): Promise<SmtpServer> => {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let refusal: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    converse(
      socket,
      () => refusal,
      (mail) => received.push(mail),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the SMTP server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}?from=receipts@casino.example`,
    received,
    refuse: (answer) => {
      refusal = answer;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
