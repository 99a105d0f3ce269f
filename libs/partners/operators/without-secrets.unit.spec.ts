import { expect, it } from '@jest/globals';
import { withoutSecrets } from './without-secrets.ts';

it('what others see of what was sent has no secret in it, nor what lets somebody in by a URL', () => {
  const webhook = { url: 'https://partner:hunter2@casino.example/hooks?token=hunter3', secret: 'hunter4' };
  expect(withoutSecrets({ name: 'till', webhook, list: [{ new_password: 'hunter5' }, 7, null] })).toEqual({
    name: 'till',
    webhook: { url: 'https://***@casino.example/hooks?***', secret: '(kept secret)' },
    list: [{ new_password: '(kept secret)' }, 7, null],
  });
});
