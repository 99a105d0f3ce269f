import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from '@jest/globals';
import { createHttpServer } from './server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const open: (() => unknown)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

it('an answer that is out is let go, though its connection is kept', async () => {
  const answers: WeakRef<object>[] = [];
  const server = createHttpServer((_, response) => {
    answers.push(new WeakRef(response));
    response.end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(
    () => socket.destroy(),
    () => server.close(),
  );
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  await later(50);
  collectGarbage();
  expect(answers.map((answer) => answer.deref() === undefined)).toEqual([true]);
  expect(socket.closed).toBe(false);
});
