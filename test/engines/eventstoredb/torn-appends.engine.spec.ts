import { randomUUID } from 'node:crypto';
import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from './standIn.ts';
import { connect, event, PLAIN, readIds, until } from './support/client.ts';
import { shared, streamServices, streams } from './wire/definitions.ts';

let standIn: StandIn;

beforeEach(async () => {
  standIn = await startStandIn();
});

afterEach(() => standIn.kill());

const header = (stream: string) => {
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(stream).toString('base64'));
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(name);
  options.setAny(new shared.Empty());
  return new streams.AppendReq().setOptions(options);
};

const proposed = () => {
  const id = new shared.UUID();
  id.setString(randomUUID());
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(id);
  message.getMetadataMap().set('type', 'Tested').set('content-type', 'application/json');
  message.setData(Buffer.from('{}').toString('base64'));
  return new streams.AppendReq().setProposedMessage(message);
};

/** Says the first half of an append of two events, and no more. */
const sayHalf = async (port: number, stream: string) => {
  const client = new streamServices.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const call = client.append(() => undefined);
  call.on('error', () => undefined);
  call.write(header(stream));
  await new Promise((said) => call.write(proposed(), said));
  await sleep(20);
  return { call, client };
};

/** A line whose near end can be closed like that of a process that dies: no goodbye of the protocol, just the end. */
const line = async (port: number) => {
  const near = new Set<Socket>();
  const server = createServer((socket) => {
    near.add(socket);
    const far = dial(port, '127.0.0.1');
    socket.pipe(far).pipe(socket);
    for (const each of [socket, far]) each.on('error', () => undefined);
    socket.on('close', () => far.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const die = () => {
    for (const socket of near) socket.destroy();
    server.close();
  };
  return { port: address.port, die };
};

const TIMES = 20;

type Half = Awaited<ReturnType<typeof sayHalf>>;

/** What may happen to a caller between the first event and the second. */
const ends: Record<string, (half: Half, die: () => void) => void> = {
  'has its connection reset': () => standIn.cut(),
  'has its connection closed': (_, die) => die(),
  'gives up': ({ call }) => call.cancel(),
};

describe('an append whose caller is gone before it has said everything', () => {
  it.each(Object.keys(ends))('writes nothing when it %s', async (how) => {
    for (let n = 0; n < TIMES; n++) {
      const through = await line(standIn.port);
      const half = await sayHalf(through.port, `half-${n}`);
      ends[how]?.(half, through.die);
      half.client.close();
      through.die();
    }
    const reader = connect(standIn.url);
    await reader.appendToStream('after', event(), PLAIN);
    await until(async () => (await readIds(reader, 'after')).length === 1);
    for (let n = 0; n < TIMES; n++)
      await expect(readIds(reader, `half-${n}`)).rejects.toMatchObject({ type: 'stream-not-found' });
    await reader.dispose();
  });
});
