import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NodeRefused, NodeUnreachable, rpcClient } from './client.ts';

let code = 0;
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const answer = { jsonrpc: '2.0', id: 0, result: null, error: { code, message: 'Loading block index…' } };
    response.statusCode = 500;
    response.end(JSON.stringify(answer));
  });
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);

const ask = () =>
  rpcClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).call('getblockhash', 7);

it('takes a refusal for an answer', async () => {
  code = -8;
  await expect(ask()).rejects.toThrow(NodeRefused);
});

it('takes a node that only begins for one that does not answer: it has not said that a block is not there', async () => {
  code = -28;
  await expect(ask()).rejects.toThrow(NodeUnreachable);
});
