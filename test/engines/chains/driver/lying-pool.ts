import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Front } from './broken-traces.ts';

type Sent = { readonly from: string; readonly nonce: string };

/** Tells of whatever one account sends that another has sent it, with a number of its own. */
export const lyingPool = async (nodeUrl: string, from: string, lie: Sent): Promise<Front> => {
  const isHis = (sent: Partial<Sent>): boolean => sent.from?.toLowerCase() === from.toLowerCase();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(nodeUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const told = JSON.stringify(await answer.json(), (key, value) => {
      if (typeof value !== 'object' || value === null) return value;
      if (key === 'pending')
        return Object.fromEntries(
          Object.entries(value).map(([who, those]) => (isHis({ from: who }) ? [lie.from, those] : [who, those])),
        );
      return isHis(value) && 'nonce' in value ? { ...value, ...lie } : value;
    });
    response.setHeader('content-type', 'application/json');
    response.end(told);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
