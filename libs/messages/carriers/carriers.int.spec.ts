import { afterEach, describe, expect, it } from '@jest/globals';
import { aMessage, type CarrierUnderTest, carrierContract } from '../testing/carrier-contract.ts';
import { type SmtpServer, startSmtpServer } from '../testing/smtp-server.ts';
import { simulatedCarrier } from './carrier.ts';
import { smtpCarrier } from './smtp.ts';
import { parseSmtpUrl } from './smtp-url.ts';

const smtpTo = (url: string) => {
  const settings = parseSmtpUrl(url);
  if (!settings) throw new Error(`${url} is not understood`);
  return smtpCarrier(settings);
};

const tearDowns: (() => Promise<void>)[] = [];

const openSmtp = async (more = ''): Promise<CarrierUnderTest & { readonly server: SmtpServer }> => {
  const server = await startSmtpServer();
  const carrier = smtpTo(server.url + more);
  let down: Promise<void> | undefined;
  const tearDown = (): Promise<void> => {
    carrier.close();
    down ??= server.stop();
    return down;
  };
  tearDowns.push(tearDown);
  return { carrier, server, tearDown };
};

describe('the simulated carrier', () => {
  const open = async (): Promise<CarrierUnderTest> => ({
    carrier: simulatedCarrier(),
    tearDown: async () => undefined,
  });
  carrierContract('sms', open);
  carrierContract('email', open);
});

describe('the SMTP carrier', () => {
  afterEach(() => Promise.all(tearDowns.splice(0).map((tearDown) => tearDown())));

  carrierContract('email', openSmtp);

  it('delivers to the player alone, from the configured sender, named by the id of the message', async () => {
    const { carrier, server } = await openSmtp();
    const message = aMessage('email', { to: 'one@mail.example', text: 'Deposit 7: 100.00 USD' });
    await carrier.send(message);
    expect(server.received).toMatchObject([{ from: '<receipts@casino.example>', to: ['<one@mail.example>'] }]);
    const [mail] = server.received;
    expect(mail?.data).toContain(`Message-ID: <${message.id}@casino.example>`);
    expect(mail?.data).toContain('Subject: Receipt');
    expect(mail?.data).toContain('Deposit 7: 100.00 USD');
  });

  it('lets no line end in a subject become a header, and no comma a second receiver', async () => {
    const { carrier, server } = await openSmtp();
    await carrier
      .send(aMessage('email', { subject: 'Receipt\r\nBcc: thief@mail.example', to: 'a@mail.example,b@mail.example' }))
      .catch(() => undefined);
    expect(server.received.flatMap(({ to }) => to)).not.toContain('<thief@mail.example>');
    expect(server.received.flatMap(({ to }) => to)).not.toContain('<b@mail.example>');
    expect(server.received.map(({ data }) => data).join('\r\n')).not.toMatch(/^Bcc:/m);
  });

  it('throws what the server refuses', async () => {
    const { carrier, server } = await openSmtp();
    server.refuse('550 no such player');
    await expect(carrier.send(aMessage('email'))).rejects.toThrow(/550 no such player/);
    expect(server.received).toEqual([]);
  });

  it('throws when there is no server', async () => {
    const { carrier, tearDown } = await openSmtp();
    await tearDown();
    await expect(carrier.send(aMessage('email'))).rejects.toThrow();
  });

  it('sends nothing in the clear where TLS is required', async () => {
    const { carrier, server } = await openSmtp('&tls=required');
    await expect(carrier.send(aMessage('email'))).rejects.toThrow(/STARTTLS/);
    expect(server.received).toEqual([]);
  });
});
