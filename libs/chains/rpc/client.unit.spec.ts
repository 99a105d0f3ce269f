import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { NodeRefused, NodeUnreachable, rpcClient } from './client.ts';

let code = 0;
let endless = false;
const server = createServer((request, response) => {
  request.resume();
  if (endless) {
    const more = () => void (response.destroyed || response.write(`[${'0,'.repeat(50_000)}`, () => setImmediate(more)));
    return more();
  }
  request.once('end', () => {
    const answer = { jsonrpc: '2.0', id: 0, result: null, error: { code, message: 'Loading block index…' } };
    response.statusCode = 500;
    response.end(JSON.stringify(answer));
  });
});
const url = servedPerFile(server);

const node = () => new URL(url()).host;
const ask = (limits: object = {}) => rpcClient({ url: url(), ...limits }).call('getblockhash', 7);

it('takes a refusal for an answer', async () => {
  code = -8;
  await expect(ask()).rejects.toThrow(NodeRefused);
});

it('takes a node that only begins for one that does not answer: it has not said that a block is not there', async () => {
  code = -28;
  await expect(ask()).rejects.toThrow(NodeUnreachable);
});

it('reads no more of an answer than any could have, and names the node that goes on', async () => {
  endless = true;
  const asked = ask({ mostBytes: 1_000_000, timeoutMs: 3_000 });
  await expect(asked).rejects.toThrow(`${node()} does not answer: it sends more than 1000000 bytes`);
  endless = false;
});
