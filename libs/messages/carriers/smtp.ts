import { createTransport } from 'nodemailer';
import type { MessageCarrier } from './carrier.ts';
import type { SmtpSettings } from './smtp-url.ts';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Receivers that know the id show a message once, even when it had to be sent twice. */
const messageIdOf = (id: string, from: string): string => {
  const [, domain = 'localhost'] = /@([^\s>]+)>?$/.exec(from) ?? [];
  return `<${id}@${domain}>`;
};

export const smtpCarrier = ({ host, port, secure, tls, login, from }: SmtpSettings): MessageCarrier => {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host,
    port,
    secure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(login && { auth: login }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    // A message is text of ours: nothing of it may name a file or a URL to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ id, to, subject, text }) => {
      await transport.sendMail({
        from,
        // As an object: as text it would be split at commas into several receivers.
        to: { name: '', address: to },
        subject: subject ?? '',
        text,
        messageId: messageIdOf(id, from),
        // No machine shall answer a machine.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
};
