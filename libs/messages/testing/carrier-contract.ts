import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageCarrier } from '../carriers/carrier.ts';
import type { Message, MessageKind } from '../message.ts';

export type CarrierUnderTest = { readonly carrier: MessageCarrier; readonly tearDown: () => Promise<void> };

export const aMessage = (kind: MessageKind, changes: Partial<Message> = {}): Message => ({
  id: randomUUID(),
  kind,
  to: kind === 'sms' ? '+4670000001' : 'player@mail.example',
  subject: 'Receipt',
  text: 'Your deposit has been credited.',
  link: null,
  entityId: 1,
  gamblerRef: 'g-1',
  ...changes,
});

/** What every carrier of this kind of message has to do. */
export const carrierContract = (kind: MessageKind, open: () => Promise<CarrierUnderTest>): void => {
  describe(`a carrier of ${kind}`, () => {
    let under: CarrierUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.tearDown());

    it('takes a message', async () => {
      await expect(under.carrier.send(aMessage(kind))).resolves.toBeUndefined();
    });

    it('takes the same message again, since nobody may know whether it went out the first time', async () => {
      const message = aMessage(kind);
      await under.carrier.send(message);
      await expect(under.carrier.send(message)).resolves.toBeUndefined();
    });

    it('takes any script, many lines, and a message without a subject', async () => {
      const { subject: _, ...message } = aMessage(kind, { text: 'Insättning 存款\n.\nالإيداع 🎰' });
      await expect(under.carrier.send(message)).resolves.toBeUndefined();
    });

    it('takes many at once', async () => {
      const all = Array.from({ length: 30 }, () => under.carrier.send(aMessage(kind)));
      expect(await Promise.allSettled(all)).toEqual(all.map(() => ({ status: 'fulfilled', value: undefined })));
    });
  });
};
