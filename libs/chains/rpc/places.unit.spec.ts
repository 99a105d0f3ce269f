import { expect, it } from '@jest/globals';
import { bitcoinLikeNode, ethereumNode, namedPlaces } from '../index.ts';

it('nodes are told apart that stand behind one host, by their order and by nothing that is secret', async () => {
  const urls = [
    'http://me:secret@127.0.0.1:9/v1/key-one',
    'http://10.0.0.8:8332',
    'http://127.0.0.1:9/v1/key-two?token=hidden',
    'http://127.0.0.1:9/v1/key-one',
  ];
  const places = namedPlaces(urls);
  expect(places.map(({ url }) => url)).toEqual(urls);
  expect(places.map(({ name }) => name)).toEqual(['127.0.0.1:9', '10.0.0.8:8332', '127.0.0.1:9#2', '127.0.0.1:9#3']);
  for (const place of places.slice(2))
    for (const node of [
      bitcoinLikeNode({ ...place, coin: 'BTC', network: 'regtest' }),
      ethereumNode({ ...place, network: 'main' }),
    ]) {
      expect(node.name).toBe(place.name);
      await expect(node.tip()).rejects.toThrow(`${place.name} does not answer`);
    }
});
