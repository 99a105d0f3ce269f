import type { Command } from './command.ts';
import { askHidden } from './parts/ask.ts';
import { exit, refused, usage } from './parts/exit.ts';
import { keepLogin, loginFile } from './service/place.ts';
import { openService } from './service/service.ts';

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

const addressOf = (text: string, plainHttp: boolean): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw usage(`${text} is no address of a service, as https://pay.example`);
  if (url.username || url.password) throw usage('no user and password in the address: the token says who you are');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !plainHttp)
    throw usage(`${text} is plain HTTP, where others can read the token: use https, or say --plain-http`);
  return url.href.replace(/\/$/, '');
};

export const login: Command = {
  words: 'login',
  summary: 'Keep the address of a service and your token for the commands that follow',
  description:
    'The token is asked for without an echo, or read from stdin. It is kept in a file for you alone, in ' +
    '$XDG_CONFIG_HOME/cointill or ~/.config/cointill. COINTILL_URL and COINTILL_TOKEN go before it.',
  args: [['[url]', 'where the service is; http://127.0.0.1:3000 unless told']],
  options: [['--plain-http', 'allow HTTP without TLS to another machine']],
  examples: ['cointill login https://pay.example', 'cointill login < token.txt'],
  json: {
    type: 'object',
    properties: { url: { type: 'string' }, file: { type: 'string' } },
    required: ['url', 'file'],
  },
  run: async ({ args, flag, out, signal }) => {
    const url = addressOf(args[0] ?? process.env.COINTILL_URL ?? 'http://127.0.0.1:3000', flag('plain-http'));
    const token = process.env.COINTILL_TOKEN || (await askHidden(`Token for ${url}: `, signal));
    if (!token) throw usage('no token was given');
    if (!/^[\x21-\x7e]+$/.test(token)) throw usage('this is no token: it has blanks or letters that none has');
    const { status } = await openService({ signal, place: { url, token } }).answer('GET', '/operator/installation');
    if (status === 401) throw refused(`${url} does not know this token`);
    // 403 is of an engine's token, which is known but may not see that.
    if (status !== 200 && status !== 403) throw refused(`${url} answers ${status}: is it a Cointill?`);
    await keepLogin({ url, token });
    const file = loginFile();
    out.answer({ url, file }, () => out.note(`Logged in to ${url}; kept in ${file}`));
    return exit.done;
  },
};
