import { describe, expect, it } from '@jest/globals';
import { targetAt } from '#webhooks/testing';
import { casinoToldBy } from './casino-told.ts';

const [listening, deaf] = [async () => targetAt('https://partner.example/hooks'), async () => undefined];
const casino = async () => ({ externalCode: 'aurora' });

describe('whether a casino is told', () => {
  it('is what holds now, where what is remembered says that nobody listens', async () => {
    const told = casinoToldBy({ casino, webhookOf: listening, known: { webhookOf: deaf } });
    expect(await told(3)).toEqual({ externalCode: 'aurora' });
  });

  it('costs no question where it is remembered', async () => {
    let asked = 0;
    const webhookOf = async () => {
      asked += 1;
      return undefined;
    };
    const told = casinoToldBy({ casino, webhookOf, known: { webhookOf: listening } });
    expect(await told(3)).toEqual({ externalCode: 'aurora' });
    expect(asked).toBe(0);
  });

  it('is no when nobody has a URL', async () => {
    expect(await casinoToldBy({ casino, webhookOf: deaf, known: { webhookOf: deaf } })(3)).toBeUndefined();
  });
});
