import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Front = { readonly url: string; readonly stop: () => Promise<void> };

/** Stands before a real node, and answers what `spoil` makes of what that says: no node can be asked to lie. */
export const frontOf = async (nodeUrl: string, spoil: (told: string, asked: string) => string): Promise<Front> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = await fetch(nodeUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.setHeader('content-type', 'application/json');
    response.end(spoil(await answer.text(), body));
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
