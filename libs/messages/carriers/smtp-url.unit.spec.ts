import { describe, expect, it } from '@jest/globals';
import { parseSmtpUrl } from './smtp-url.ts';

describe('the URL of a mail server', () => {
  it('says where, as whom, from whom and how', () => {
    expect(parseSmtpUrl('smtp://user%40a:p%3Aw@mail.example:2525?from=receipts@casino.example&tls=required')).toEqual({
      host: 'mail.example',
      port: 2525,
      secure: false,
      tls: 'required',
      login: { user: 'user@a', pass: 'p:w' },
      from: 'receipts@casino.example',
    });
  });

  it('has defaults: the usual ports, no login, TLS where the server offers it', () => {
    const plain = parseSmtpUrl('smtp://mail.example?from=a@b.example');
    expect(plain).toMatchObject({ port: 587, secure: false, tls: 'opportunistic', login: undefined });
    expect(parseSmtpUrl('smtps://[::1]?from=a@b.example')).toMatchObject({ host: '::1', port: 465, secure: true });
  });

  it.each([
    'mail.example',
    'http://mail.example?from=a@b.example',
    'smtp://mail.example',
    'smtp://mail.example?from=nobody',
    'smtp://mail.example?from=a@b.example&tls=perhaps',
    'smtp://%zz@mail.example?from=a@b.example',
  ])('is not %s', (text) => {
    expect(parseSmtpUrl(text)).toBeUndefined();
  });
});
