import { expect, it } from '@jest/globals';
import fastify from 'fastify';
import { keepBytes } from './kept-bytes.ts';

it('What is kept is made once, whoever asks for it and however', async () => {
  const app = fastify();
  let made = 0;
  const make = () => {
    made += 1;
    return `the document, made ${made} times`;
  };
  keepBytes(app, ['/document']);
  for (const path of ['/document', '/another']) app.get(path, (_, reply) => reply.type('text/plain').send(make()));
  const first = await app.inject('/document');
  for (const url of ['/document', '/document?again']) expect((await app.inject(url)).body).toBe(first.body);
  await app.inject({ method: 'HEAD', url: '/document' });
  expect(made).toBe(1);
  for (let times = 0; times < 2; times++) await app.inject('/another');
  expect(made).toBe(3);
});
