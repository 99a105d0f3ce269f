import { createServer } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { servedPerFile } from '../../test/support/served-per-file.ts';
import { bitcoinLikeNode } from './index.ts';

type Asked = { readonly id: number; readonly method: string };

let says: Readonly<Record<string, unknown>> = {};
const answerTo = ({ id, method }: Asked) => ({ id, result: says[method] ?? null });

const server = createServer(async (request, response) => {
  const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  response.end(JSON.stringify('map' in asked ? asked.map(answerTo) : answerTo(asked)));
});
const url = servedPerFile(server);
beforeEach(() => {
  says = {};
});

const bitcoin = () => bitcoinLikeNode({ url: url(), coin: 'BTC', network: 'regtest' });

describe('a sender that can be none, as a node of Bitcoin and its like tells it, names nobody', () => {
  const payment = {
    ...{ txid: 'paid', inputs: ['made:0'], outputs: [], senders: [] },
    ...{ replaceable: false, isPegOut: false, raw: undefined },
  };
  const sendersBy = async (scriptPubKey: unknown) => {
    says = { gettxout: { scriptPubKey } };
    const waiting = await bitcoin().sendersOf(payment);
    says = { getrawtransaction: { vin: [{ prevout: { scriptPubKey } }] } };
    return [waiting, await bitcoin().sendersOf(payment, 'block')];
  };

  it.each([[''], [' '], ['a b'], ['x'.repeat(129)], ['a\0'], ['caf\u00e9'], [{ a: 1 }], [null], [7], [['named']]])(
    '%j',
    async (odd) => {
      expect(await sendersBy({ address: odd })).toEqual([[undefined], [undefined]]);
      expect(await sendersBy({ addresses: ['named', odd] })).toEqual([
        ['named', undefined],
        ['named', undefined],
      ]);
    },
  );

  it.each([['named'], [{ 0: 'named' }], [7]])('in place of a list: %j', async (odd) => {
    expect(await sendersBy({ addresses: odd })).toEqual([[undefined], [undefined]]);
  });
});
